import { NotFoundWords } from '#components/portal/not-found-words.tsx'
import { missingMetadata } from '#server/pages/missing.tsx'

export const metadata = missingMetadata

export default function PortalNotFound() {
  return <NotFoundWords />
}
