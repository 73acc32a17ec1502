import { CheckboxField } from '#components/forms/field.tsx'
import { FaultSummary, Form, SubmitButton } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { creditsFor, pounds, vatWithin } from '#server/api/contract/price-kinds.ts'
import { credits, number } from '../amounts.ts'
import { type Price, PriceLines } from './top-up-parts.tsx'

type PayFormProps = {
  price: Price
  balanceCredits: number
  /** Idempotency key of this purchase: submitting the form twice makes only one purchase. */
  purchaseKey: string
  action: FormAction
}

/** Price of one payment, the credits it buys, and the pay button. */
function PayForm({ price, balanceCredits, purchaseKey, action }: PayFormProps) {
  return (
    <Form action={action} name="pay">
      <input type="hidden" name="key" value={purchaseKey} />
      <input type="hidden" name="amountPence" value={price.grossPence} />
      <PriceLines {...price} />
      <p className="text-pretty">
        You get {credits(price.credits)}. New balance: {number(balanceCredits + price.credits)}. One-off payment, nothing renews.
      </p>
      <CheckboxField name="savesCard">Save this card for automatic top-ups. You can turn them on later.</CheckboxField>
      <SubmitButton>Pay {pounds(price.grossPence)}</SubmitButton>
    </Form>
  )
}

type AmountChoiceProps = {
  presetsPence: readonly number[]
  /** Selected amount; null if it can't be bought. */
  amountPence: number | null
  /** Custom amount as typed; empty if none was entered. */
  other: string
  /** Error message for the custom amount; null if it is valid. */
  fault: string | null
}

const choice =
  'flex min-h-11 min-w-16 items-center justify-center rounded-control border border-line-strong bg-surface px-4 font-medium tabular-nums hover:bg-hover aria-[current=true]:border-2 aria-[current=true]:border-accent aria-[current=true]:bg-accent-wash'

/** Returns a pattern that matches only the amount already confirmed. Any other text makes the field invalid, which hides the pay form. */
const unchangedPattern = (other: string): string => (other === '' ? '(?!)' : other.trim().replaceAll('.', '\\.'))

/** Amount to buy. Every choice loads a new page, so the page and the pay button always show the same amount, with or without JavaScript. */
function AmountChoice({ presetsPence, amountPence, other, fault }: AmountChoiceProps) {
  return (
    <>
      {fault === null ? null : <FaultSummary faults={{ amount: fault }} />}
      <nav aria-label="Amount" className="flex flex-wrap gap-2">
        {presetsPence.map((pence) => (
          <a key={pence} href={`/portal/billing/top-up?amount=${pence / 100}`} aria-current={pence === amountPence} className={choice}>
            {pounds(pence)}
          </a>
        ))}
      </nav>
      <form method="get" action="/portal/billing/top-up" className="mt-4" noValidate>
        <label htmlFor="amount" className="font-medium">
          Other amount
        </label>
        <p id="amount-hint" className="mt-1 text-note text-ink-2">
          Amount in pounds, in steps of 10p.
        </p>
        {fault === null ? null : (
          <p id="amount-fault" className="mt-1 font-medium text-danger">
            <span className="sr-only">Error: </span>
            {fault}
          </p>
        )}
        <div className="mt-1.5 flex flex-wrap items-stretch gap-2">
          <input
            id="amount"
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            defaultValue={other}
            pattern={unchangedPattern(other)}
            aria-invalid={fault !== null}
            aria-describedby={fault === null ? 'amount-hint' : 'amount-hint amount-fault'}
            className={`h-11 w-32 rounded-control border bg-surface px-3 text-base text-ink sm:text-body ${fault === null ? 'border-line-strong' : 'border-2 border-danger'}`}
          />
          <Button kind="second" type="submit">
            Use this amount
          </Button>
        </div>
      </form>
    </>
  )
}

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

/** Page for choosing an amount and paying. */
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
      {/* The pay form is hidden while a custom amount is typed but not confirmed, so that the user pays only the amount shown. */}
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
