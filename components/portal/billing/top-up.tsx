'use client'

import { useFormContext, useWatch } from 'react-hook-form'
import { CheckboxField, HiddenField, TextField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { penceTyped } from '#server/api/contract/formats.ts'
import { creditPence, creditsFor, faultOfAmount, largestTopUpPence, pounds, smallestTopUpPence, vatWithin } from '#server/api/contract/price-kinds.ts'
import { credits, number } from '../amounts.ts'
import { type Price, PriceLine } from './top-up-parts.tsx'

const rowsPerPage = 10

/** Price of a rate, and average daily spend of the account, which is null if unknown. They say what credits buy. */
type Pace = { readonly creditsPerRate: number; readonly creditsPerDay: number | null }

/** Says what credits buy: `about 12 days at your current pace`, or `about 20 pages of 10 rates` if the pace is unknown. */
function worth(bought: number, { creditsPerRate, creditsPerDay }: Pace): string {
  if (creditsPerDay !== null) {
    const days = Math.floor(bought / creditsPerDay)
    return days === 0 ? 'less than a day at your current pace' : `about ${number(days)} ${days === 1 ? 'day' : 'days'} at your current pace`
  }
  const pages = Math.floor(bought / (creditsPerRate * rowsPerPage))
  return `about ${number(pages)} ${pages === 1 ? 'page' : 'pages'} of ${rowsPerPage} rates`
}

const preset =
  'flex min-h-11 cursor-pointer flex-col rounded-control border border-line-strong bg-surface px-4 py-3 text-left hover:bg-hover aria-pressed:outline-2 aria-pressed:-outline-offset-2 aria-pressed:outline-accent aria-pressed:bg-accent-wash'

type PresetsProps = { presetsPence: readonly number[]; pace: Pace; amountPence: number }

/** Buttons that enter common amounts. */
function Presets({ presetsPence, pace, amountPence }: PresetsProps) {
  const { setValue } = useFormContext()
  return (
    <fieldset className="grid grid-cols-2 gap-2">
      <legend className="sr-only">Common amounts</legend>
      {presetsPence.map((pence) => (
        <button
          key={pence}
          type="button"
          aria-pressed={pence === amountPence}
          onClick={() => setValue('amountPence', pounds(pence).replace('£', ''))}
          className={preset}
        >
          <span className="text-h1 font-semibold tracking-tight tabular-nums">{pounds(pence)}</span>
          <span className="text-note text-ink-2">
            {credits(creditsFor(pence))}
            <span className="sr-only"> · </span>
            <span className="block text-pretty">{worth(creditsFor(pence), pace)}</span>
          </span>
        </button>
      ))}
    </fieldset>
  )
}

function getPrice(grossPence: number, vatPercent: number | null): Price {
  const vatPence = vatWithin(grossPence, vatPercent === null ? null : Math.round(vatPercent * 100))
  return { credits: creditsFor(grossPence), netPence: grossPence - vatPence, vatPence, grossPence, vatPercent }
}

type Overview = {
  readonly balanceCredits: number
  readonly mode: 'live' | 'test' | 'simulated' | null
  readonly presetsPence: readonly number[]
  readonly vatPercent: number | null
}

/** Lines of the summary: credits, new balance and price. */
function Summary({ price: { credits: bought, netPence, vatPence, grossPence, vatPercent }, newBalance }: { price: Price; newBalance: number }) {
  return (
    <dl>
      <PriceLine name="Credits">{number(bought)}</PriceLine>
      <PriceLine name="New balance">{credits(newBalance)}</PriceLine>
      {vatPercent === null ? null : (
        <>
          <PriceLine name="Excluding VAT">{pounds(netPence)}</PriceLine>
          <PriceLine name={`VAT at ${vatPercent}%`}>{pounds(vatPence)}</PriceLine>
        </>
      )}
      <PriceLine name="Total" isTotal>
        {pounds(grossPence)}
      </PriceLine>
    </dl>
  )
}

const amountHint = `${pounds(smallestTopUpPence)} to ${pounds(largestTopUpPence)}, in steps of ${creditPence}p.`

type FieldsProps = { overview: Overview; pace: Pace; amount: string }

const savedText = 'One-off payment. Our payment provider saves the card. We see only its brand, last four digits and expiry date.'

/** Amount, what it costs and buys, and the pay button. Everything follows the amount while it is typed. */
function PayFields({ overview: { balanceCredits, presetsPence, vatPercent }, pace, amount }: FieldsProps) {
  const typed: unknown = useWatch({ name: 'amountPence', defaultValue: amount })
  const savesCard = Boolean(useWatch({ name: 'savesCard' }))
  const amountPence = penceTyped(String(typed ?? amount))
  const fault = faultOfAmount(amountPence)
  const price = getPrice(fault === null ? amountPence : 0, vatPercent)
  return (
    <div className="flex flex-col gap-x-12 gap-y-8 lg:grid lg:grid-cols-[minmax(0,1fr)_20rem] lg:items-start">
      <div className="flex min-w-0 flex-col gap-5">
        <Presets presetsPence={presetsPence} pace={pace} amountPence={amountPence} />
        <TextField name="amountPence" label="Amount" hint={amountHint} autoComplete="off" inputMode="decimal" size="short" prefix="£" defaultValue={amount} />
      </div>
      {/* Has no box below lg, so that the pay button can stick to the bottom of the screen during the whole form. */}
      <div className="max-lg:contents lg:flex lg:flex-col lg:gap-4 lg:rounded-panel lg:border lg:border-line lg:px-5 lg:py-4">
        <section aria-label="Summary" className="flex min-w-0 flex-col gap-4 max-lg:rounded-panel max-lg:border max-lg:border-line max-lg:px-5 max-lg:py-4">
          <div aria-live="polite" className={fault === null ? '' : 'hidden'}>
            <Summary price={price} newBalance={balanceCredits + price.credits} />
          </div>
          <CheckboxField name="savesCard">Save this card for automatic top-ups. You can turn them on later.</CheckboxField>
          <p className="text-note text-pretty text-ink-2">{savesCard ? savedText : 'One-off payment, nothing renews.'}</p>
        </section>
        <div className="flex flex-col max-sm:sticky max-sm:bottom-0 max-sm:z-10 max-sm:-mx-4 max-sm:border-t max-sm:border-line max-sm:bg-surface max-sm:px-4 max-sm:py-3">
          <SubmitButton isWide reason={fault}>
            {fault === null ? `Pay ${pounds(amountPence)}` : 'Pay'}
          </SubmitButton>
        </div>
      </div>
    </div>
  )
}

type Props = FieldsProps & {
  isConfirmed: boolean
  /** Idempotency key of this page. Submitting one amount twice makes only one purchase. */
  purchaseKey: string
}

/** Page for choosing an amount and paying. */
export function TopUp({ isConfirmed, purchaseKey, ...fields }: Props) {
  const trpc = useTRPC()
  const { mode } = fields.overview
  if (mode === null) return <Notice tone="caution">Payments aren't available on this service.</Notice>
  return (
    <>
      {mode === 'simulated' ? (
        <div className="mb-6">
          <Notice tone="caution" title="Simulated payments">
            This service has no payment provider. Payments are simulated and you won't be charged.
          </Notice>
        </div>
      ) : null}
      {isConfirmed ? (
        <MutationForm
          mutation={trpc.billing.startTopUp.mutationOptions()}
          // Another amount, chosen after coming back from the checkout, is another purchase.
          toInput={(values) => ({ ...values, key: `${values['key']}-${penceTyped(String(values['amountPence']))}-${values['savesCard']}` })}
          onDone={({ url }) => goTo(url)}
        >
          <HiddenField name="key" value={purchaseKey} />
          <PayFields {...fields} />
        </MutationForm>
      ) : (
        <p>Confirm your email before topping up.</p>
      )}
    </>
  )
}
