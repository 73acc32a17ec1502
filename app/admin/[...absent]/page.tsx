import { NotFoundWords } from '#components/site/not-found-words.tsx'
import { missing, missingMetadata } from '#server/pages/missing.tsx'

export const metadata = missingMetadata

/** Answers administrators 404 at addresses under /admin that have no page. */
export default function AbsentPage() {
  return missing(<NotFoundWords way={{ href: '/admin', name: 'Go to the desk' }} />)
}
