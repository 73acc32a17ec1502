import { NotFoundWords } from '#components/site/not-found-words.tsx'
import { missing, missingMetadata } from '#server/pages/missing.tsx'

export const metadata = missingMetadata

/** Returns 404 to administrators for unknown URLs under /admin. */
export default function AbsentPage() {
  return missing(<NotFoundWords way={{ href: '/admin', name: 'Go to admin' }} />)
}
