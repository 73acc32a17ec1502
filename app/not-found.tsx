import { headers } from 'next/headers'
import { NotFoundWords } from '#components/site/not-found-words.tsx'
import { currentPath } from '#server/auth/current-request.ts'
import { missingMetadata } from '#server/pages/missing.tsx'
import { SiteFrame } from '#server/pages/site-frame.tsx'

export const metadata = missingMetadata

/** Back to where somebody was. The way to the desk is told only to those for whom it is open (proxy.ts). */
async function wayBack() {
  if ((await headers()).get('x-svc-desk') === 'open') return { href: '/admin', name: 'Go to the desk' }
  return /^\/portal\//.test(await currentPath()) ? { href: '/portal', name: 'Go to the overview' } : undefined
}

export default async function NotFound() {
  const way = await wayBack()
  return (
    <SiteFrame>
      <NotFoundWords {...(way ? { way } : {})} />
    </SiteFrame>
  )
}
