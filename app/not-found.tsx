import { NotFoundWords } from '../components/site/not-found-words.tsx'
import { SiteShell } from '../components/site/site-shell.tsx'
import { missingMetadata } from './missing.tsx'

export const metadata = missingMetadata

export default function NotFound() {
  return (
    <SiteShell>
      <NotFoundWords />
    </SiteShell>
  )
}
