import { NotFoundContent } from '#components/site/fault-pages.tsx'
import { currentPath } from '#server/auth/current-request.ts'
import { missingMetadata } from '#server/pages/missing.tsx'
import { SiteFrame } from '#server/pages/site-frame.tsx'

export const metadata = missingMetadata

/** Returns a link to the portal's overview if the missing page's URL is in the portal. */
async function sectionLink() {
  return /^\/portal\//.test(await currentPath()) ? { href: '/portal', name: 'Go to the overview' } : undefined
}

export default async function NotFound() {
  const way = await sectionLink()
  return (
    <SiteFrame>
      <NotFoundContent {...(way ? { way } : {})} />
    </SiteFrame>
  )
}
