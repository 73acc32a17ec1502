import { randomUUID } from 'node:crypto'
import type { Metadata } from 'next'
import { cache } from 'react'
import { AdjustCredits, adjustFault } from '#components/admin/adjust-credits.tsx'
import { AdjustmentList, Balance } from '#components/admin/adjustments.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { signedTyped } from '#server/api/contract/formats.ts'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'
import { found } from '#server/pages/load.ts'
import { missing, missingMetadata } from '#server/pages/missing.tsx'
import { adjustAction } from './actions.ts'

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>> }

const getTerms = cache(async (id: string) => found((await adminCaller()).admin.credits.terms({ account: id })))

const done: Readonly<Record<string, string>> = {
  entered: 'Credits adjusted. See the latest entry below.',
  waiting: 'Proposed. Another administrator has to approve it under Credits.',
}

const typedIn = (search: Awaited<Props['searchParams']>): string | null => (typeof search['credits'] === 'string' ? search['credits'].slice(0, 20) : null)

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  if (await lacksAdminAccess()) return {}
  const [terms, typed] = [await getTerms((await params).id), typedIn(await searchParams)]
  if (terms === null) return missingMetadata
  return { title: adjustFault(terms, typed, signedTyped(typed ?? '')) === null ? 'Adjust credits' : 'Error: Adjust credits' }
}

export default async function AdjustCreditsPage({ params, searchParams }: Props) {
  if (await lacksAdminAccess()) return null
  const [{ id }, search] = [await params, await searchParams]
  const terms = await getTerms(id)
  if (terms === null) return missing()
  const typed = typedIn(search)
  const message = typeof search['done'] === 'string' ? done[search['done']] : undefined
  return (
    <>
      <h1 className="mb-2 text-h1 font-semibold tracking-tight">Adjust credits</h1>
      <Balance account={id} email={terms.email} balanceCredits={terms.balanceCredits} />
      {message === undefined ? null : (
        <div className="mb-6">
          <Notice tone="good">{message}</Notice>
        </div>
      )}
      <div className="max-w-120">
        <AdjustCredits account={id} terms={terms} typed={typed} credits={signedTyped(typed ?? '')} formKey={randomUUID()} action={adjustAction} />
      </div>
      <AdjustmentList adjustments={terms.adjustments} />
    </>
  )
}
