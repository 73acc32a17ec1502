import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { TopUpReturn } from '../../../../components/portal/billing/top-up-return.tsx'
import { ButtonLink } from '../../../../components/ui/button.tsx'
import { pounds } from '../../../../server/contract/top-ups.ts'
import { portalCaller, signedIn } from '../../../portal-caller.ts'

type Props = { searchParams: Promise<{ topUp?: string; cancelled?: string }> }

const topUpOf = cache(async (id: string) => (await (await portalCaller()).billing.topUp({ id: id.slice(0, 64) })) ?? notFound())

/** Asks for the top-up itself, so that a page that does not exist is known before it is begun and is called so. */
export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const viewer = await signedIn()
  if (viewer.state !== 'blocked') await topUpOf((await searchParams).topUp ?? '')
  return { title: 'Payment' }
}

export default async function ReturnPage({ searchParams }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const { topUp: id = '', cancelled } = await searchParams
  const topUp = await topUpOf(id)
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
