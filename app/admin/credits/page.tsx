import type { Metadata } from 'next'
import { Proposals } from '#components/admin/credits.tsx'
import { formats, readParameter, type Search } from '#components/admin/kit/search.ts'
import { adminPage } from '#server/pages/admin/admin-page.tsx'
import { currentAdmin } from '#server/pages/admin/admin-pages.ts'

export const metadata: Metadata = { title: 'Credit adjustments' }

type Props = { searchParams: Promise<Search> }

export default async function CreditsPage({ searchParams }: Props) {
  const after = readParameter(await searchParams, 'after', formats.cursor)
  const viewer = (await currentAdmin())?.publicId ?? ''
  return adminPage(<Proposals after={after} viewer={viewer} />, (load, { credits }) => [
    load(credits.waiting.queryOptions()),
    load(credits.proposals.queryOptions({ after })),
  ])
}
