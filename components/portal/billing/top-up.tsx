'use client'

import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import type { Values } from '#components/forms/client-form.tsx'
import { HiddenField, TextField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { penceTyped } from '#server/api/contract/formats.ts'
import { creditsFor, faultOfAmount, largestTopUpPence, pounds, smallestTopUpPence, vatWithin } from '#server/api/contract/price-kinds.ts'
import { credits, number } from '../amounts.ts'
import { type PaymentCard, PaymentMethod } from './payment-method.tsx'
import { offeredAmounts, type Pace, worth } from './top-up-amounts.ts'
import { type Price, PriceLine } from './top-up-parts.tsx'

const preset =
  'flex min-h-11 cursor-pointer flex-col rounded-control border border-line-strong bg-surface px-4 py-3 text-left hover:bg-hover aria-pressed:bg-accent-wash aria-pressed:outline-2 aria-pressed:-outline-offset-2 aria-pressed:outline-accent max-sm:flex-row max-sm:items-center max-sm:justify-between max-sm:gap-4 max-sm:py-1.5'

const amountHint = `${pounds(smallestTopUpPence)} to ${pounds(largestTopUpPence)}`

/** Name of the field for any other amount. While it is empty, the chosen amount applies. */
const otherAmount = 'otherAmount'

type ChoiceProps = { choose: (pence: number) => void; amountPence: number; pace: Pace }

/** Button that chooses an amount, with the credits that it buys and how long they last. */
function Preset({ pence, amountPence, pace, choose }: ChoiceProps & { pence: number }) {
  const { setValue } = useFormContext()
  const bought = creditsFor(pence)
  const onClick = () => {
    setValue(otherAmount, '')
    choose(pence)
  }
  return (
    <button type="button" aria-pressed={pence === amountPence} onClick={onClick} className={preset}>
      <span className="text-h1 font-semibold tracking-tight tabular-nums max-sm:text-h2">{pounds(pence)}</span>
      <span className="text-note text-ink-2 max-sm:text-right">
        {credits(bought)}
        <span className="sr-only"> · </span>
        <span className="block text-pretty">{worth(bought, pace)}</span>
      </span>
    </button>
  )
}

type AmountsProps = ChoiceProps & { offeredPence: readonly number[]; typed: string }

/** Offered amounts, and a field for any other amount. */
function Amounts({ offeredPence, typed, pace, ...choice }: AmountsProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-3 text-h2 font-semibold">Amount</legend>
      {pace.creditsPerDay === null ? null : <p className="mb-2 text-note text-ink-2">You use about {credits(pace.creditsPerDay)} a day.</p>}
      <div className="grid gap-1.5 sm:grid-cols-2 sm:gap-2 xl:grid-cols-4">
        {offeredPence.map((pence) => (
          <Preset key={pence} pence={pence} pace={pace} {...choice} />
        ))}
      </div>
      <div className="mt-6">
        <TextField
          name={otherAmount}
          label="Other amount"
          hint={amountHint}
          autoComplete="off"
          inputMode="decimal"
          size="short"
          prefix="£"
          defaultValue={typed}
        />
      </div>
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
  readonly card: PaymentCard | null
  readonly presetsPence: readonly number[]
  readonly vatPercent: number | null
}

type SummaryProps = { price: Price; pace: Pace; newBalance: number }

/** Lines of the summary: what the amount buys, then what it costs. */
function Summary({ price: { credits: bought, netPence, vatPence, grossPence, vatPercent }, pace, newBalance }: SummaryProps) {
  return (
    <dl>
      <PriceLine name="Credits added">{number(bought)}</PriceLine>
      <PriceLine name="New balance">{number(newBalance)}</PriceLine>
      {pace.creditsPerDay === null || newBalance <= 0 ? null : <PriceLine name="Lasts">{worth(newBalance, pace)}</PriceLine>}
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

type FieldsProps = Pick<Props, 'overview' | 'pace' | 'startsSaving'> & {
  offeredPence: readonly number[]
  /** Amount typed in the field for other amounts when the page opens. */
  typed: string
  /** Chosen offered amount. */
  chosenPence: number
  choose: (pence: number) => void
}

/** Amount, what it costs and buys, and the pay button. Updates while an amount is typed. */
function PayFields({ overview: { balanceCredits, vatPercent, mode, card }, pace, startsSaving, offeredPence, typed, chosenPence, choose }: FieldsProps) {
  const other = String(useWatch({ name: otherAmount, defaultValue: typed }) ?? typed).trim()
  const amountPence = other === '' ? chosenPence : penceTyped(other)
  const fault = faultOfAmount(amountPence)
  const price = getPrice(fault === null ? amountPence : 0, vatPercent)
  return (
    <div className="flex flex-col gap-x-12 gap-y-8 lg:grid lg:grid-cols-[minmax(0,1fr)_20rem] lg:items-start">
      <input type="hidden" name="amountPence" value={other === '' ? chosenPence / 100 : other} />
      {/* Aligned with the heading of the summary, which has a border and padding. */}
      <div className="flex min-w-0 flex-col gap-7 sm:gap-10 lg:pt-[calc(1rem+1px)]">
        <Amounts offeredPence={offeredPence} typed={typed} pace={pace} amountPence={amountPence} choose={choose} />
        <PaymentMethod isSimulated={mode === 'simulated'} card={card} startsSaving={startsSaving} />
      </div>
      {/* Has no box below lg, so that the pay button can stick to the bottom of the screen throughout the form. */}
      <div className="max-lg:contents lg:flex lg:flex-col lg:gap-4 lg:rounded-panel lg:border lg:border-line lg:p-5 lg:pt-4">
        <section
          aria-labelledby="summary"
          className="flex min-w-0 flex-col gap-2 sm:max-lg:rounded-panel sm:max-lg:border sm:max-lg:border-line sm:max-lg:p-5 sm:max-lg:pt-4"
        >
          <h2 id="summary" className="text-h2 font-semibold">
            Summary
          </h2>
          {mode === 'simulated' ? <p className="text-note text-ink-2">Simulated: you won't be charged.</p> : null}
          <div aria-live="polite" className={fault === null ? '' : 'hidden'}>
            <Summary price={price} pace={pace} newBalance={balanceCredits + price.credits} />
          </div>
          <p className="text-note text-pretty text-ink-2">This is a one-off payment. It won't renew.</p>
        </section>
        <div className="pay-bar flex flex-col gap-2 max-sm:sticky max-sm:bottom-0 max-sm:z-10 max-sm:-mx-4 max-sm:border-t max-sm:border-line max-sm:bg-surface max-sm:px-4 max-sm:pt-3 max-sm:pb-[calc(0.75rem+env(safe-area-inset-bottom))]">
          {fault === null ? (
            <p aria-hidden="true" className="text-note text-ink-2 tabular-nums sm:hidden">
              {credits(price.credits)} · new balance {number(balanceCredits + price.credits)}
            </p>
          ) : null}
          <SubmitButton isWide reason={fault}>
            {fault === null ? `Pay ${pounds(amountPence)}` : 'Pay'}
          </SubmitButton>
        </div>
      </div>
    </div>
  )
}

type Props = {
  overview: Overview
  pace: Pace
  /** Initial amount, in pounds as typed. */
  amount: string
  /** True to tick the box that saves the card when the page opens. */
  startsSaving: boolean
  isConfirmed: boolean
  /** Idempotency key of this page. Submitting the same amount twice makes only one purchase. */
  purchaseKey: string
}

/** Form for choosing an amount and paying. An amount that isn't offered starts in the field for other amounts. */
function PayForm({ overview, pace, amount, startsSaving, purchaseKey }: Omit<Props, 'isConfirmed'>) {
  const offeredPence = offeredAmounts(overview.presetsPence, pace)
  const isOffered = offeredPence.includes(penceTyped(amount))
  const [chosenPence, choose] = useState(isOffered ? penceTyped(amount) : 0)
  const toInput = ({ [otherAmount]: typed, ...values }: Values) => {
    const amountPence = String(typed).trim() === '' ? chosenPence : penceTyped(String(typed))
    // Another amount, chosen after coming back from the checkout, is another purchase.
    return { ...values, amountPence, key: `${purchaseKey}-${amountPence}-${values['savesCard']}` }
  }
  return (
    <MutationForm mutation={useTRPC().billing.startTopUp.mutationOptions()} toInput={toInput} onDone={({ url }) => goTo(url)}>
      <HiddenField name="key" value={purchaseKey} />
      <PayFields
        overview={overview}
        pace={pace}
        startsSaving={startsSaving}
        offeredPence={offeredPence}
        typed={isOffered ? '' : amount}
        chosenPence={chosenPence}
        choose={choose}
      />
    </MutationForm>
  )
}

/** Page for choosing an amount and paying. */
export function TopUp({ isConfirmed, ...form }: Props) {
  const { mode } = form.overview
  if (mode === null) return <Notice tone="caution">Payments aren't available on this service.</Notice>
  return isConfirmed ? <PayForm {...form} /> : <p>Confirm your email before topping up.</p>
}
