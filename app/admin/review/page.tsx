import type { Metadata } from 'next'
import { formats, readParameter, type Search } from '#components/admin/kit/search.ts'
import { ReviewQueue } from '#components/admin/review.tsx'
import { readDecision } from '#components/admin/views.ts'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'Review' }

type Props = { searchParams: Promise<Search> }

export default async function ReviewPage({ searchParams }: Props) {
  const search = await searchParams
  const after = readParameter(search, 'after', formats.account)
  return adminPage(<ReviewQueue after={after} done={readDecision(search['done'])} />, (load, admin) => [load(admin.review.queue.queryOptions({ after }))])
}
