'use client'

import { ChartHead } from '#components/charts/chart-head.tsx'
import { ChartTable } from '#components/charts/chart-table.tsx'
import { seriesColour } from '#components/charts/colours.ts'
import { LineChart } from '#components/charts/line-chart.tsx'
import { type Lines, steps } from '#components/charts/lines.ts'
import { periodName } from '#components/charts/time-axis.ts'
import { credits, number } from '../amounts.ts'

type BalanceDay = {
  readonly day: string
  readonly balanceCredits: number
  readonly movedCredits: number
  /** All credits added on this day. */
  readonly addedCredits: number
  /** The part of those credits that was paid for. */
  readonly toppedUpCredits: number
}

const signed = (value: number): string => (value > 0 ? `+${number(value)}` : number(value))

/** Describes the credits added on a day: `, topped up 200, 20 other credits added`. */
function addedText({ addedCredits, toppedUpCredits }: BalanceDay): string {
  const other = addedCredits - toppedUpCredits
  const toppedUp = toppedUpCredits === 0 ? '' : `, topped up ${number(toppedUpCredits)}`
  return other === 0 ? toppedUp : `${toppedUp}, ${number(other)}${toppedUpCredits === 0 ? '' : ' other'} ${other === 1 ? 'credit' : 'credits'} added`
}

/** Ratio of the scale to the highest balance, so that a marker fits above it. */
const markRoom = 1.15

/** Minimum number of days between two markers that both show their amount. */
const minLabelDays = 5

/** Returns true if there is space for an amount next to a day's marker, because none of the preceding days has a marker. */
const hasRoom = (days: readonly BalanceDay[], index: number): boolean =>
  days.slice(Math.max(0, index - minLabelDays), index).every(({ addedCredits }) => addedCredits === 0)

/** Position as a percentage of the chart's width. Further right, an amount may not fit to the right of its marker. */
const maxCentre = 80

/** Markers for added credits, followed by the amount, or below it near the right edge. Placed outside the SVG so that they aren't stretched. */
function Additions({ chart: { slots, toTop }, days }: { chart: Lines; days: readonly BalanceDay[] }) {
  return slots.map(({ left, width }, index) => {
    const day = days[index]
    if (day === undefined || day.addedCredits === 0) return null
    const centre = left + width / 2
    const amount = hasRoom(days, index) ? signed(day.addedCredits) : ''
    const [isAtEdge, edge] = [centre > maxCentre, { right: `${100 - centre}%` }]
    return (
      <span
        key={day.day}
        aria-hidden="true"
        className={`absolute -mt-2.5 flex -translate-y-full gap-1 bg-surface text-note leading-none whitespace-nowrap text-good tabular-nums ring-2 ring-surface ${isAtEdge ? 'translate-x-[0.4rem] flex-col-reverse items-end' : '-translate-x-[0.4rem]'}`}
        style={{ ...(isAtEdge ? edge : { left: `${centre}%` }), top: `${toTop(day.balanceCredits)}%` }}
      >
        <span>▲</span>
        {amount === '' ? null : <span>{amount}</span>}
      </span>
    )
  })
}

/** Step chart of the balance at the end of each day, with added credits marked, and the same data as a table. Renders nothing if the balance was always zero. */
export function BalanceSteps({ days }: { days: readonly BalanceDay[] }) {
  const chart = steps(
    days.map(({ balanceCredits }) => balanceCredits),
    markRoom,
  )
  if (chart === null) return null
  const last = days.length - 1
  const readings = days.map((day, index) => ({
    title: periodName(day.day, 'UTC'),
    value: `${credits(day.balanceCredits)}${index === last ? ' now' : ''}${addedText(day)}`,
  }))
  return (
    <section aria-labelledby="balance-days" className="mt-10">
      <figure>
        <ChartHead id="balance-days" title={`Balance, last ${days.length} days`}>
          <ChartTable
            caption="Balance at the end of each UTC day, newest first"
            head="Day"
            columns={[
              { id: 'added', name: 'Added' },
              { id: 'moved', name: 'Change' },
              { id: 'balance', name: 'Balance' },
            ]}
            rows={days.toReversed().map(({ day, addedCredits, movedCredits, balanceCredits }) => ({
              id: day,
              name: periodName(day, 'UTC'),
              cells: [number(addedCredits), signed(movedCredits), number(balanceCredits)],
            }))}
          />
        </ChartHead>
        <LineChart
          name="Daily balance"
          periods={days.map(({ day }) => day)}
          chart={chart}
          colours={[seriesColour(0)]}
          readings={readings}
          format={number}
          timeZone="UTC"
          size="medium"
          over={<Additions chart={chart} days={days} />}
        />
        <p className="mt-2 text-note text-ink-2">
          Balance at the end of each UTC day. The last point is the current balance.
          {days.some(({ addedCredits }) => addedCredits > 0) ? (
            <>
              {' '}
              <span aria-hidden="true" className="text-good">
                ▲
              </span>{' '}
              Credits added
            </>
          ) : null}
        </p>
      </figure>
    </section>
  )
}
