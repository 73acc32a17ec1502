import { NotFoundWords } from '#components/site/not-found-words.tsx'
import { currentPath } from '#server/auth/current-request.ts'
import { atDesk } from '#server/pages/admin-caller.ts'
import { missingMetadata } from '#server/pages/missing.tsx'
import { SiteFrame } from '#server/pages/site-frame.tsx'

export const metadata = missingMetadata

/** Returns a link to the part of the site that the reader was in. Only administrators get the one to the admin area. */
async function wayBack() {
  const path = await currentPath()
  // Looked up for every path: parts of the page would come in another order, and show that an address under /admin is special.
  const isAdmin = (await atDesk()) !== null
  if (isAdmin && /^\/admin\//.test(path)) return { href: '/admin', name: 'Go to the desk' }
  return /^\/portal\//.test(path) ? { href: '/portal', name: 'Go to the overview' } : undefined
}

export default async function NotFound() {
  const way = await wayBack()
  return (
    <SiteFrame>
      <NotFoundWords {...(way ? { way } : {})} />
    </SiteFrame>
  )
}
