import { Time } from '#components/data/time.tsx'
import { ChoiceField } from '#components/forms/choice-field.tsx'
import { TextField } from '#components/forms/field.tsx'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { pounds } from '#server/api/contract/top-ups.ts'
import { number } from '../amounts.ts'
import { SavedWords } from './saved-words.tsx'

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

/** What is proposed to an account that has chosen nothing. */
const proposed = { isOn: false, thresholdCredits: 20, amountPence: 2_000, ceilingPence: 10_000 }

const plain = (pence: number): string => pounds(pence).replace('£', '')

/** What automatic top-ups are doing now. */
function AutoState({ auto: { isUnderWay, failures, nextTryAt, spentPence, ceilingPence } }: { auto: Auto }) {
  const spent = `${pounds(spentPence)} of ${pounds(ceilingPence)} used this month.`
  if (isUnderWay) return `A top-up is under way. ${spent}`
  if (failures === 0) return spent
  return (
    <>
      The last {failures === 1 ? 'one' : failures} failed; the third failure in a row switches them off.{' '}
      {nextTryAt === null ? null : (
        <>
          Tried again after <Time at={nextTryAt} isStop />.{' '}
        </>
      )}
      {spent}
    </>
  )
}

type Props = { auto: Auto | null; card: string; vatPercent: number | null; action: FormAction; isSaved: boolean }

/** When the saved card is charged by itself, how much each time, and how much in a month at most. */
export function AutoTopUpForm({ auto, card, vatPercent, action, isSaved }: Props) {
  const { isOn, thresholdCredits, amountPence, ceilingPence } = auto ?? proposed
  return (
    <Form action={action} name="auto">
      <ChoiceField
        kind="radio"
        name="isOn"
        legend="Top up by itself"
        chosen={[isOn ? 'yes' : 'no']}
        choices={[
          {
            value: 'yes',
            label: 'On',
            hint: `Charges ${card} when the balance falls below the number below. We email you each time. Each has a receipt and no invoice. A refund or dispute switches this off.`,
          },
          { value: 'no', label: 'Off', hint: 'Nothing is charged unless you press a button.' },
        ]}
      />
      {auto === null ? null : (
        <p className="text-note text-ink-2">
          <AutoState auto={auto} />
        </p>
      )}
      <TextField
        name="threshold"
        label="When the balance is below"
        hint="Credits, at most as many as one top-up buys."
        inputMode="numeric"
        autoComplete="off"
        size="short"
        defaultValue={number(thresholdCredits)}
      />
      <TextField
        name="amount"
        label="Amount each time"
        hint={vatPercent === null ? 'In pounds.' : 'In pounds, VAT included.'}
        autoComplete="off"
        size="short"
        defaultValue={plain(amountPence)}
      />
      <TextField
        name="ceiling"
        label="At most in a month"
        hint="In pounds. Beyond it nothing is charged until the month ends, in UTC."
        autoComplete="off"
        size="short"
        defaultValue={plain(ceilingPence)}
      />
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton kind="second">Save automatic top-ups</SubmitButton>
        <SavedWords isSaved={isSaved} />
      </div>
    </Form>
  )
}
