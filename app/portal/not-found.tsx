import { NotFoundContent } from '#components/portal/missing-content.tsx'
import { missingMetadata } from '#server/pages/missing.tsx'

export const metadata = missingMetadata

export default function PortalNotFound() {
  return <NotFoundContent />
}
