import { FaultSummary } from '#components/forms/fault-summary.tsx'
import { Button } from '#components/ui/button.tsx'
import { pounds } from '#server/api/contract/top-ups.ts'

type Props = {
  presetsPence: readonly number[]
  /** Selected amount; null if it can't be bought. */
  amountPence: number | null
  /** Custom amount as typed, and its error. */
  other: string
  fault: string | null
}

const choice =
  'flex min-h-11 min-w-16 items-center justify-center rounded-control border border-line-strong bg-surface px-4 font-medium tabular-nums hover:bg-hover aria-[current=true]:border-2 aria-[current=true]:border-accent aria-[current=true]:bg-accent-wash'

/** Matches the field only while it shows the amount to be paid, so that the browser treats any other text as invalid. */
const unchangedPattern = (other: string): string => (other === '' ? '(?!)' : other.trim().replaceAll('.', '\\.'))

/** Amount to buy. Every choice is a link, so the page and the pay button always show the same amount, with or without JavaScript. */
export function AmountChoice({ presetsPence, amountPence, other, fault }: Props) {
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
          Whole multiples of 10p, in pounds.
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
