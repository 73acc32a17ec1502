import { randomUUID } from 'node:crypto'
import type { Metadata } from 'next'
import { TopUp } from '#components/portal/billing/top-up.tsx'
import { penceTyped } from '#server/api/contract/formats.ts'
import { faultOfAmount } from '#server/api/contract/price-kinds.ts'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'
import { payAction } from '../actions.ts'

type Props = { searchParams: Promise<{ amount?: string }> }

const defaultPence = 2_000

const parseAmount = (amount: string | undefined): number => (amount === undefined ? defaultPence : penceTyped(amount))

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  return { title: faultOfAmount(parseAmount((await searchParams).amount)) === null ? 'Top up' : 'Error: Top up' }
}

export default async function TopUpPage({ searchParams }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const overview = await (await portalCaller()).billing.overview()
  const { amount } = await searchParams
  const amountPence = parseAmount(amount)
  const fault = faultOfAmount(amountPence)
  const isPreset = overview.presetsPence.includes(amountPence)
  return (
    <div className="max-w-120">
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">Top up</h1>
      <TopUp
        overview={overview}
        amountPence={fault === null ? amountPence : null}
        other={isPreset || amount === undefined ? '' : amount}
        fault={fault}
        isConfirmed={viewer.isConfirmed}
        purchaseKey={randomUUID()}
        action={payAction}
      />
    </div>
  )
}
