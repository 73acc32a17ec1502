import type { Metadata } from 'next'
import { cache } from 'react'
import { TopUpReturn } from '#components/portal/billing/top-up-return.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { pounds } from '#server/api/contract/price-kinds.ts'
import { missingThing, titled } from '#server/pages/missing.tsx'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'

type Props = { searchParams: Promise<{ topUp?: string; cancelled?: string }> }

const getTopUp = cache(async (id: string) => (await portalCaller()).billing.topUp({ id: id.slice(0, 64) }))

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const { topUp = '' } = await searchParams
  return titled('Payment', () => getTopUp(topUp))
}

export default async function ReturnPage({ searchParams }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const { topUp: id = '', cancelled } = await searchParams
  const topUp = await getTopUp(id)
  if (topUp === null) return missingThing()
  return (
    <>
      <h1 className="mb-4 text-h1 font-semibold tracking-tight">Payment of {pounds(topUp.grossPence)}</h1>
      <TopUpReturn first={topUp} isCancelled={cancelled !== undefined} />
      <p className="mt-6 flex flex-wrap items-center gap-4">
        <ButtonLink kind="primary" size="compact" href="/portal/billing">
          Back to billing
        </ButtonLink>
        {cancelled !== undefined && topUp.state !== 'paid' ? (
          <ButtonLink kind="second" size="compact" href={`/portal/billing/top-up?amount=${topUp.grossPence / 100}`}>
            Top up
          </ButtonLink>
        ) : null}
      </p>
    </>
  )
}
