import { NotFoundContent } from '#components/site/fault-pages.tsx'
import { missing, missingMetadata } from '#server/pages/missing.tsx'

export const metadata = missingMetadata

/** Returns 404 to administrators for unknown URLs under /admin. */
export default function AbsentPage() {
  return missing(<NotFoundContent way={{ href: '/admin', name: 'Go to admin' }} />)
}
