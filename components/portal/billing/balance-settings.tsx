import { Time } from '#components/data/time.tsx'
import { ChoiceField } from '#components/forms/choice-field.tsx'
import { TextField } from '#components/forms/field.tsx'
import { Form, SubmitButton } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { pounds } from '#server/api/contract/price-kinds.ts'
import { credits, number } from '../amounts.ts'

/** Confirmation shown next to the submit button of a form that was just saved. */
function SavedMessage({ isSaved, message = 'Saved.' }: { isSaved: boolean; message?: string }) {
  return isSaved ? (
    <span role="status" className="text-note font-medium text-good">
      {message}
    </span>
  ) : null
}

export type Auto = {
  readonly isOn: boolean
  readonly thresholdCredits: number
  readonly amountPence: number
  readonly ceilingPence: number
  readonly spentPence: number
  readonly failures: number
  readonly nextTryAt: string | null
  readonly isUnderWay: boolean
}

/** Defaults for an account that hasn't set up automatic top-ups. */
const proposed = { isOn: false, thresholdCredits: 20, amountPence: 2_000, ceilingPence: 10_000 }

const plain = (pence: number): string => pounds(pence).replace('£', '')

/** Current state of automatic top-ups. */
function AutoState({ auto: { isUnderWay, failures, nextTryAt, spentPence, ceilingPence } }: { auto: Auto }) {
  const spent = `${pounds(spentPence)} of ${pounds(ceilingPence)} used this month.`
  if (isUnderWay) return `A top-up is in progress. ${spent}`
  if (failures === 0) return spent
  return (
    <>
      {failures === 1 ? 'The last attempt' : `The last ${failures} attempts`} failed. After three failures in a row we turn automatic top-ups off.{' '}
      {nextTryAt === null ? null : (
        <>
          Next attempt after <Time at={nextTryAt} isStop />.{' '}
        </>
      )}
      {spent}
    </>
  )
}

type AutoTopUpProps = { auto: Auto | null; card: string; vatPercent: number | null; action: FormAction; isSaved: boolean }

/** Form for automatic top-ups: the balance that triggers one, its amount and the monthly limit. */
export function AutoTopUpForm({ auto, card, vatPercent, action, isSaved }: AutoTopUpProps) {
  const { isOn, thresholdCredits, amountPence, ceilingPence } = auto ?? proposed
  return (
    <Form action={action} name="auto">
      <ChoiceField
        kind="radio"
        name="isOn"
        legend="Automatic top-up"
        chosen={[isOn ? 'yes' : 'no']}
        choices={[
          {
            value: 'yes',
            label: 'On',
            hint: `Charges ${card} when your balance falls below the threshold. We email you each time. Each top-up has a receipt but no invoice. A refund or dispute turns this off.`,
          },
          { value: 'no', label: 'Off', hint: 'Your card is only charged when you top up yourself.' },
        ]}
      />
      {auto === null ? null : (
        <p className="text-note text-ink-2">
          <AutoState auto={auto} />
        </p>
      )}
      <TextField
        name="threshold"
        label="Threshold"
        hint="In credits. Can't exceed the credits that one top-up buys."
        inputMode="numeric"
        autoComplete="off"
        size="short"
        defaultValue={number(thresholdCredits)}
      />
      <TextField
        name="amount"
        label="Top-up amount"
        hint={vatPercent === null ? 'In pounds.' : 'In pounds, including VAT.'}
        autoComplete="off"
        size="short"
        defaultValue={plain(amountPence)}
      />
      <TextField
        name="ceiling"
        label="Monthly limit"
        hint="In pounds. Once reached, your card isn't charged until the month ends (UTC)."
        autoComplete="off"
        size="short"
        defaultValue={plain(ceilingPence)}
      />
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton kind="second">Save automatic top-ups</SubmitButton>
        <SavedMessage isSaved={isSaved} />
      </div>
    </Form>
  )
}

export type Cap = { readonly capCredits: number | null; readonly spentCredits: number; readonly renewsOn: string }

type CapFormProps = { cap: Cap; action: FormAction; isSaved: boolean }

/** Form for the account's monthly spending cap, which covers all live keys and webhook events. */
export function CapForm({ cap, action, isSaved }: CapFormProps) {
  return (
    <Form action={action} name="cap">
      <TextField
        name="cap"
        label="Monthly cap in credits"
        hint={`Calls over the cap return 402 and webhook events wait until the month ends (UTC). Leave empty for no cap. ${credits(cap.spentCredits)} spent so far. Resets on ${cap.renewsOn}.`}
        isOptional
        inputMode="numeric"
        autoComplete="off"
        defaultValue={cap.capCredits === null ? '' : number(cap.capCredits)}
      />
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton kind="second">Save cap</SubmitButton>
        <SavedMessage isSaved={isSaved} />
      </div>
    </Form>
  )
}

type AlertsFormProps = { thresholds: readonly number[]; action: FormAction; isSaved: boolean }

/** Form for the balances at which the account is alerted. */
export function AlertsForm({ thresholds, action, isSaved }: AlertsFormProps) {
  return (
    <Form action={action} name="alerts">
      <TextField
        name="thresholds"
        label="Email me when my balance falls to"
        hint="Up to five credit balances, e.g. 1,000, 50. Each one triggers one email and one balance.low webhook event, and can trigger again after you top up. Leave empty for no alerts."
        isOptional
        inputMode="text"
        autoComplete="off"
        defaultValue={thresholds.map(number).join(', ')}
      />
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton kind="second">Save alerts</SubmitButton>
        <SavedMessage isSaved={isSaved} />
      </div>
    </Form>
  )
}
