import { NotFoundContent } from '#components/site/fault-pages.tsx'
import { SiteShell } from '#components/site/site-shell.tsx'
import { currentPath } from '#server/auth/current-request.ts'
import { missingMetadata } from '#server/pages/missing.tsx'

export const metadata = missingMetadata

/** Returns a link to the portal's overview if the missing page's URL is in the portal. */
async function sectionLink() {
  return /^\/portal\//.test(await currentPath()) ? { href: '/portal', name: 'Go to the overview' } : undefined
}

export default async function NotFound() {
  const way = await sectionLink()
  return (
    <SiteShell>
      <NotFoundContent {...(way ? { way } : {})} />
    </SiteShell>
  )
}
