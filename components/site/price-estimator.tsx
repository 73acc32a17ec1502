'use client'

import { useId, useState } from 'react'
import { ButtonLink } from '#components/ui/button.tsx'
import { pounds } from '#server/api/contract/price-kinds.ts'

export type Estimate = {
  readonly creditsPerRow: number
  readonly creditPence: number
  /** Values before the reader changes them. */
  readonly calls: number
  readonly rows: number
  readonly maxRows: number
  /** Plans in ascending order, with their limits for live calls. */
  readonly plans: readonly { readonly name: string; readonly perDay: number }[]
}

const grouped = new Intl.NumberFormat('en-GB')

const daysPerMonth = 30
const maxCalls = 10_000_000

/** Positions of the slider: 1, 2 and 5 times each power of ten. */
const callSteps = [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000] as const

/** Returns the position of the largest step that isn't above a number of calls. */
const toStep = (calls: number): number =>
  Math.max(
    0,
    callSteps.findLastIndex((step) => step <= calls),
  )

/** Parses a typed number; null if it is not a whole number from 1 to `max`. */
function readCount(text: string, max: number): number | null {
  const digits = text.replaceAll(/[\s,]/g, '')
  const value = /^\d{1,9}$/.test(digits) ? Number(digits) : 0
  return value >= 1 && value <= max ? value : null
}

type FieldProps = {
  label: string
  text: string
  isFaulty: boolean
  hint: string
  slider: { readonly min: number; readonly max: number; readonly value: number; readonly valueText: string }
  onText: (text: string) => void
  onSlide: (position: number) => void
}

/** Number field with a slider. */
function CountField({ label, text, isFaulty, hint, slider: { min, max, value, valueText }, onText, onSlide }: FieldProps) {
  const id = useId()
  return (
    <div>
      <div className="flex items-center justify-between gap-4">
        <label htmlFor={id} className="font-medium">
          {label}
          <span id={`${id}-hint`} className={`block text-note font-normal ${isFaulty ? 'text-danger' : 'text-ink-2'}`}>
            {hint}
          </span>
        </label>
        <input
          id={id}
          inputMode="numeric"
          autoComplete="off"
          value={text}
          aria-describedby={`${id}-hint`}
          aria-invalid={isFaulty || undefined}
          onChange={({ currentTarget }) => onText(currentTarget.value)}
          className={`h-11 w-32 shrink-0 rounded-control border bg-surface px-3 text-right text-base tabular-nums ${isFaulty ? 'border-danger' : 'border-line-strong'}`}
        />
      </div>
      <input
        type="range"
        aria-label={`${label}, slider`}
        aria-valuetext={valueText}
        min={min}
        max={max}
        value={value}
        onChange={({ currentTarget }) => onSlide(Number(currentTarget.value))}
        className="mt-2 h-6 w-full cursor-pointer"
        style={{ backgroundSize: `${((value - min) / (max - min)) * 100}% 0.25rem, 100% 0.25rem` }}
      />
    </div>
  )
}

const counted = (count: number, unit: string): string => `${grouped.format(count)} ${unit}${count === 1 ? '' : 's'}`

/** Returns a sentence with the average number of calls a day and the plan that allows them. */
function planNote(calls: number, plans: Estimate['plans']): string {
  const perDay = calls / daysPerMonth
  const plan = plans.find((one) => one.perDay >= perDay)
  const daily = `About ${counted(Math.max(1, Math.round(perDay)), 'call')} a day`
  return plan === undefined ? `${daily}, over the limit of every plan. Contact us for more.` : `${daily}; ${plan.name} allows ${grouped.format(plan.perDay)}.`
}

type ResultProps = Pick<Estimate, 'creditsPerRow' | 'creditPence' | 'plans'> & { calls: number | null; rows: number | null }

/** Monthly cost and its calculation. */
function Result({ calls, rows, creditsPerRow, creditPence, plans }: ResultProps) {
  const credits = calls === null || rows === null ? null : calls * rows * creditsPerRow
  return (
    <output className="block border-line max-sm:order-first max-sm:border-b max-sm:pb-4 sm:border-t sm:pt-4">
      <span className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="flex items-baseline gap-2">
          <span className="text-figure font-semibold tracking-tight tabular-nums">{credits === null ? '–' : pounds(credits * creditPence)}</span>{' '}
          <span className="text-ink-2">a month</span>
        </span>{' '}
        <span className="font-medium tabular-nums">{credits === null ? null : counted(credits, 'credit')}</span>
      </span>{' '}
      <span className="mt-1 block text-note text-ink-2 tabular-nums">
        {calls === null || rows === null
          ? 'Enter both numbers.'
          : `${counted(calls, 'call')} × ${counted(rows, 'row')} × ${counted(creditsPerRow, 'credit')}. ${planNote(calls, plans)}`}
      </span>
    </output>
  )
}

/** Estimates the monthly cost from the number of calls and of rows per call. Without JavaScript, it shows one example. */
export function PriceEstimator({ creditsPerRow, creditPence, calls: firstCalls, rows: firstRows, maxRows, plans }: Estimate) {
  const [callText, setCalls] = useState(grouped.format(firstCalls))
  const [rowText, setRows] = useState(String(firstRows))
  const [calls, rows] = [readCount(callText, maxCalls), readCount(rowText, maxRows)]
  const step = toStep(calls ?? 0)
  return (
    <section aria-labelledby="estimate" className="min-w-0 rounded-panel border border-line bg-surface p-5 shadow-float sm:p-6">
      <h2 id="estimate" className="text-h2 font-semibold">
        Estimate your cost
      </h2>
      {/* On a phone, the result comes first, so that it stays in view while a slider moves. */}
      <div className="mt-4 flex flex-col gap-4">
        <div className="flex flex-col gap-4 noscript:hidden">
          <CountField
            label="Calls a month"
            text={callText}
            isFaulty={calls === null}
            hint={calls === null ? `Enter a whole number from 1 to ${grouped.format(maxCalls)}.` : 'Live calls that return data'}
            slider={{ min: 0, max: callSteps.length - 1, value: step, valueText: `${grouped.format(callSteps[step] ?? 0)} calls` }}
            onText={setCalls}
            onSlide={(position) => setCalls(grouped.format(callSteps[position] ?? firstCalls))}
          />
          <CountField
            label="Rows per call"
            text={rowText}
            isFaulty={rows === null}
            hint={rows === null ? `Enter a whole number from 1 to ${maxRows}.` : `Rates, ${firstRows} by default`}
            slider={{ min: 1, max: maxRows, value: rows ?? 1, valueText: `${rows ?? 1} rows` }}
            onText={setRows}
            onSlide={(position) => setRows(String(position))}
          />
        </div>
        <Result calls={calls} rows={rows} creditsPerRow={creditsPerRow} creditPence={creditPence} plans={plans} />
      </div>
      <p className="mt-4">
        <ButtonLink kind="primary" size="wide" href="/sign-up">
          Create account
        </ButtonLink>
      </p>
    </section>
  )
}
