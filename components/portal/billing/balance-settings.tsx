'use client'

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { RadioGroup } from '#components/forms/choice-field.tsx'
import { TextField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { toast } from '#components/ui/toast.tsx'
import { pounds } from '#server/api/contract/price-kinds.ts'
import { credits, number } from '../amounts.ts'
import { SettingsSection as Section } from '../settings/settings-parts.tsx'
import { type Auto, AutoState, type Card, CardNeeded, cardName } from './auto-top-up.tsx'

/** Returns a function that refetches the billing settings and reports that they are saved. */
function useSaved() {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  return async () => {
    await client.invalidateQueries(trpc.billing.pathFilter())
    return 'Saved.'
  }
}

/** Defaults for an account that hasn't set up automatic top-ups. */
const proposed = { isOn: false, thresholdCredits: 20, amountPence: 2_000, ceilingPence: 10_000 }

const plain = (pence: number): string => pounds(pence).replace('£', '')

/** Form for automatic top-ups: the balance that triggers one, its amount and the monthly limit. */
function AutoTopUpForm({ auto, card, vatPercent }: { auto: Auto | null; card: string; vatPercent: number | null }) {
  const { isOn, thresholdCredits, amountPence, ceilingPence } = auto ?? proposed
  const offHint = 'Your card is only charged when you top up yourself.'
  const onHint = `Charges ${card} when your balance falls below the threshold. We'll email you each time. Each top-up has a receipt but no invoice. A refund or dispute turns automatic top-ups off.`
  const choices = [
    { value: 'yes', label: 'On', hint: onHint },
    { value: 'no', label: 'Off', hint: offHint },
  ]
  const short = { autoComplete: 'off', size: 'short' } as const
  return (
    <MutationForm mutation={useTRPC().billing.setAutoTopUp.mutationOptions()} name="auto" onDone={useSaved()}>
      <RadioGroup name="isOn" legend="Automatic top-up" chosen={[isOn ? 'yes' : 'no']} choices={choices} />
      {auto === null ? null : (
        <p className="text-note text-ink-2">
          <AutoState auto={auto} />
        </p>
      )}
      <TextField
        name="thresholdCredits"
        label="Threshold"
        hint="In credits. Can't exceed the number of credits that one top-up buys."
        inputMode="numeric"
        defaultValue={number(thresholdCredits)}
        {...short}
      />
      <TextField
        name="amountPence"
        label="Top-up amount"
        hint={vatPercent === null ? 'In pounds.' : 'In pounds, including VAT.'}
        defaultValue={plain(amountPence)}
        {...short}
      />
      <TextField
        name="ceilingPence"
        label="Monthly limit"
        hint="In pounds. We won't start an automatic top-up that would exceed this limit. Resets each month (UTC)."
        defaultValue={plain(ceilingPence)}
        {...short}
      />
      <SubmitButton kind="second">Save automatic top-ups</SubmitButton>
    </MutationForm>
  )
}

/** Saved card for automatic top-ups, with a button to remove it. */
function SavedCard({ card, isAutoOn }: { card: Card; isAutoOn: boolean }) {
  const saved = useSaved()
  const removed = async () => {
    await saved()
    toast('Card removed.')
  }
  return (
    <div className="mb-6 flex flex-wrap items-center justify-between gap-3 border-y border-line py-2.5">
      <p>
        {cardName(card)}
        <span className="block text-note text-ink-2">
          Expires {card.expires}.{isAutoOn ? ' Removing this card turns off automatic top-ups.' : ''}
        </span>
      </p>
      <MutationForm mutation={useTRPC().billing.removeCard.mutationOptions()} name="card" onDone={removed}>
        <SubmitButton kind="plain">Remove card</SubmitButton>
      </MutationForm>
    </div>
  )
}

type Cap = { readonly capCredits: number | null; readonly spentCredits: number; readonly renewsOn: string }

/** Form for the account's monthly spending cap, which covers all live keys and webhook events. */
function CapForm({ capCredits, spentCredits, renewsOn }: Cap) {
  return (
    <MutationForm mutation={useTRPC().billing.setCap.mutationOptions()} name="cap" onDone={useSaved()}>
      <TextField
        name="capCredits"
        label="Monthly cap in credits"
        hint={`Live calls over the cap return 402, and paid webhook events wait until the month ends (UTC). Leave empty for no cap. ${credits(spentCredits)} spent this month. Resets on ${renewsOn}.`}
        isOptional
        inputMode="numeric"
        autoComplete="off"
        defaultValue={capCredits === null ? '' : number(capCredits)}
      />
      <SubmitButton kind="second">Save cap</SubmitButton>
    </MutationForm>
  )
}

/** Form for the balances at which the account is alerted. */
function AlertsForm({ thresholds }: { thresholds: readonly number[] }) {
  return (
    <MutationForm mutation={useTRPC().billing.setAlerts.mutationOptions()} name="alerts" onDone={useSaved()}>
      <TextField
        name="thresholds"
        label="Email me when my balance falls to"
        hint="Up to five balances in credits, separated by spaces, for example: 1000 50. At each one, we email you and send a balance.low event to every endpoint subscribed to that event. Each alert can trigger again after you top up. Leave empty for no alerts."
        isOptional
        autoComplete="off"
        defaultValue={thresholds.map(number).join(' ')}
      />
      <SubmitButton kind="second">Save alerts</SubmitButton>
    </MutationForm>
  )
}

/** Balance alerts, the monthly cap and automatic top-ups. */
export function BalanceSettings() {
  const { data } = useSuspenseQuery(useTRPC().billing.overview.queryOptions())
  const { mode, card, vatPercent, autoTopUp, alertThresholds, spendCap } = data
  return (
    <>
      <Section id="alerts" title="Alerts">
        <AlertsForm thresholds={alertThresholds} />
      </Section>
      <Section id="cap" title="Monthly cap" lead="For all live keys and webhooks together. You can also set a lower cap for each key.">
        <CapForm {...spendCap} />
      </Section>
      {mode === null ? null : (
        <Section id="auto-top-up" title="Automatic top-ups" lead="Top up automatically when your balance runs low.">
          {card === null ? (
            <CardNeeded />
          ) : (
            <>
              <SavedCard card={card} isAutoOn={autoTopUp?.isOn ?? false} />
              <AutoTopUpForm auto={autoTopUp} card={cardName(card)} vatPercent={vatPercent} />
            </>
          )}
        </Section>
      )}
    </>
  )
}
