'use client'

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
  /** Credits of all kinds that were added on this day. */
  readonly addedCredits: number
  /** Those of them that were paid for. */
  readonly toppedUpCredits: number
}

const signed = (value: number): string => (value > 0 ? `+${number(value)}` : number(value))

/** Describes the credits added on a day: `, topped up 200, 20 other credits added`. */
function addedText({ addedCredits, toppedUpCredits }: BalanceDay): string {
  const other = addedCredits - toppedUpCredits
  const toppedUp = toppedUpCredits === 0 ? '' : `, topped up ${number(toppedUpCredits)}`
  return other === 0 ? toppedUp : `${toppedUp}, ${number(other)}${toppedUpCredits === 0 ? '' : ' other'} ${other === 1 ? 'credit' : 'credits'} added`
}

/** Share by which the scale exceeds the highest balance, so that a mark fits above it. */
const markRoom = 1.15

/** Minimum number of days between two marks that both show their amount. */
const minLabelDays = 5

/** True if the mark of a day has room for its amount, because none of the days before it has a mark. */
const hasRoom = (days: readonly BalanceDay[], index: number): boolean =>
  days.slice(Math.max(0, index - minLabelDays), index).every(({ addedCredits }) => addedCredits === 0)

/** Markers for added credits with the amount, placed outside the SVG so that they aren't stretched. The amount is on the side that has more room. */
function Additions({ chart: { slots, toTop }, days }: { chart: Lines; days: readonly BalanceDay[] }) {
  return slots.map(({ left, width }, index) => {
    const day = days[index]
    if (day === undefined || day.addedCredits === 0) return null
    const centre = left + width / 2
    const amount = hasRoom(days, index) ? signed(day.addedCredits) : ''
    return (
      <span
        key={day.day}
        aria-hidden="true"
        className={`absolute -mt-1 -translate-y-full text-note leading-none whitespace-nowrap text-good tabular-nums ${centre > 50 ? 'translate-x-[0.4rem]' : '-translate-x-[0.4rem]'}`}
        style={{ ...(centre > 50 ? { right: `${100 - centre}%` } : { left: `${centre}%` }), top: `${toTop(day.balanceCredits)}%` }}
      >
        {centre > 50 ? `${amount} ▲` : `▲ ${amount}`}
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
    <section aria-labelledby="balance-days" className="mt-8">
      <h2 id="balance-days" className="mb-2 text-h2 font-semibold">
        Balance, last {days.length} days
      </h2>
      <figure>
        <LineChart
          name="Daily balance"
          periods={days.map(({ day }) => day)}
          chart={chart}
          colours={[seriesColour(0)]}
          readings={readings}
          format={number}
          timeZone="UTC"
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
      </figure>
    </section>
  )
}
