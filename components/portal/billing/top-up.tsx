import type { FormAction } from '#components/forms/form-state.ts'
import { Notice } from '#components/ui/notice.tsx'
import { creditsFor, vatWithin } from '#server/api/contract/top-ups.ts'
import { AmountChoice } from './amount-choice.tsx'
import { PayForm } from './pay-form.tsx'
import type { Price } from './price-lines.tsx'

type Overview = {
  readonly balanceCredits: number
  readonly mode: 'live' | 'test' | 'simulated' | null
  readonly presetsPence: readonly number[]
  readonly vatPercent: number | null
}

type Props = {
  overview: Overview
  amountPence: number | null
  other: string
  fault: string | null
  isConfirmed: boolean
  purchaseKey: string
  action: FormAction
}

function getPrice(grossPence: number, vatPercent: number | null): Price {
  const vatPence = vatWithin(grossPence, vatPercent === null ? null : Math.round(vatPercent * 100))
  return { credits: creditsFor(grossPence), netPence: grossPence - vatPence, vatPence, grossPence, vatPercent }
}

/** Page to choose an amount and pay. */
export function TopUp({ overview, amountPence, other, fault, isConfirmed, purchaseKey, action }: Props) {
  const { mode, presetsPence, vatPercent, balanceCredits } = overview
  if (mode === null) return <Notice tone="caution">Payments aren't available on this service.</Notice>
  return (
    <div className="group/top-up">
      {mode === 'simulated' ? (
        <div className="mb-6">
          <Notice tone="caution" title="Test mode">
            This service has no payment provider. Payments are simulated and you won't be charged.
          </Notice>
        </div>
      ) : null}
      <AmountChoice presetsPence={presetsPence} amountPence={amountPence} other={other} fault={fault} />
      {/* A custom amount that is typed but not confirmed must not be paid by mistake: the user pays the amount shown. */}
      <p className="mt-8 hidden group-has-[#amount:not(:valid)]/top-up:block">Click “Use this amount” to see the price.</p>
      <div className="mt-8 group-has-[#amount:not(:valid)]/top-up:hidden">
        {isConfirmed ? null : <p>Confirm your email before topping up.</p>}
        {isConfirmed && amountPence !== null ? (
          <PayForm key={amountPence} price={getPrice(amountPence, vatPercent)} balanceCredits={balanceCredits} purchaseKey={purchaseKey} action={action} />
        ) : null}
      </div>
    </div>
  )
}
