import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { TopUpReturn } from '../../../../components/portal/billing/top-up-return.tsx'
import { ButtonLink } from '../../../../components/ui/button.tsx'
import { pounds } from '../../../../server/contract/top-ups.ts'
import { portalCaller, signedIn } from '../../../portal-caller.ts'

export const metadata: Metadata = { title: 'Payment' }

type Query = { topUp?: string; cancelled?: string }

export default async function ReturnPage({ searchParams }: { searchParams: Promise<Query> }) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const { topUp: id = '', cancelled } = await searchParams
  const topUp = await (await portalCaller()).billing.topUp({ id: id.slice(0, 64) })
  if (topUp === null) notFound()
  return (
    <>
      <h1 className="mb-4 text-h1 font-semibold tracking-tight">Payment of {pounds(topUp.grossPence)}</h1>
      <TopUpReturn first={topUp} isCancelled={cancelled !== undefined} />
      {topUp.state === 'open' ? (
        <noscript>
          <p className="mt-2">
            <a className="prose-link" href={`/portal/billing/return?topUp=${topUp.id}`}>
              Look again
            </a>
          </p>
        </noscript>
      ) : null}
      <p className="mt-6 flex flex-wrap items-center gap-4">
        <ButtonLink kind="primary" href="/portal/billing">
          Back to billing
        </ButtonLink>
        {cancelled !== undefined && topUp.state !== 'paid' ? (
          <ButtonLink kind="second" href={`/portal/billing/top-up?amount=${topUp.grossPence / 100}`}>
            Top up
          </ButtonLink>
        ) : null}
      </p>
    </>
  )
}
