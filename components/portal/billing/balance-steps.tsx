import { shortDay, weekDay } from '#components/data/time-format.ts'
import { credits, number } from '../amounts.ts'
import { BarsReader } from '../bars-reader.tsx'
import { type BalanceChart, type BalanceDay, balanceChart } from '../chart-geometry.ts'
import { ChartScale } from '../chart-parts.tsx'

const at = (day: string): Date => new Date(`${day}T00:00:00Z`)

const signed = (value: number): string => (value > 0 ? `+${number(value)}` : number(value))

/** SVG of the chart. It is stretched to fit, so it contains no text. */
function ChartSvg({ chart }: { chart: BalanceChart }) {
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="absolute inset-0 size-full" aria-hidden="true" focusable="false">
      {chart.ticks.map(({ value, top }) => (
        <path
          key={value}
          d={`M0 ${top}H100`}
          className={value === 0 ? 'stroke-line-strong' : 'stroke-line'}
          strokeWidth="1"
          vectorEffect="non-scaling-stroke"
        />
      ))}
      <path d={chart.line} className="fill-none stroke-chart-1" strokeWidth="2" vectorEffect="non-scaling-stroke" />
    </svg>
  )
}

/** Markers for top-ups, placed outside the SVG so that they aren't stretched. */
function TopUps({ chart, days }: { chart: BalanceChart; days: readonly BalanceDay[] }) {
  return chart.steps.map(({ left, width, top }, index) => {
    const day = days[index]
    if (day === undefined || day.toppedUpCredits === 0) return null
    return (
      <span
        key={day.day}
        aria-hidden="true"
        className="absolute -mt-1 -translate-x-1/2 -translate-y-full text-note leading-none text-good"
        style={{ left: `${left + width / 2}%`, top: `${Math.max(top, 8)}%` }}
      >
        ▲
      </span>
    )
  })
}

function Table({ days }: { days: readonly BalanceDay[] }) {
  const cell = 'py-1.5 pl-3 text-right tabular-nums'
  const head = 'py-2 pl-3 text-right font-medium'
  return (
    <details className="mt-1">
      <summary className="prose-link min-h-8 cursor-pointer py-1">Show as table</summary>
      <table className="mt-2 w-full max-w-md border-t border-line-strong text-table">
        <caption className="sr-only">Balance at the end of each UTC day, newest first</caption>
        <thead>
          <tr className="border-b border-line-strong text-ink-2">
            <th scope="col" className="py-2 text-left font-medium">
              Day
            </th>
            <th scope="col" className={head}>
              Topped up
            </th>
            <th scope="col" className={head}>
              Change
            </th>
            <th scope="col" className={head}>
              Balance
            </th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ day, toppedUpCredits, movedCredits, balanceCredits }) => (
            <tr key={day} className="border-b border-line">
              <th scope="row" className="py-1.5 text-left font-normal whitespace-nowrap">
                {shortDay(at(day))}
              </th>
              <td className={cell}>{number(toppedUpCredits)}</td>
              <td className={cell}>{signed(movedCredits)}</td>
              <td className={cell}>{number(balanceCredits)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

/** Step chart of the balance at the end of each day, with top-ups marked, and the same data as a table. Renders nothing if the balance was always zero. */
export function BalanceSteps({ days }: { days: readonly BalanceDay[] }) {
  const chart = balanceChart(days)
  if (chart === null) return null
  const last = days.length - 1
  const readable = chart.steps.map(({ left, width }, index) => {
    const { day, balanceCredits, toppedUpCredits } = days[index] ?? { day: '', balanceCredits: 0, toppedUpCredits: 0 }
    const topUp = toppedUpCredits === 0 ? '' : `, topped up ${number(toppedUpCredits)}`
    return { label: `${weekDay(at(day))}: ${credits(balanceCredits)}${index === last ? ' now' : ''}${topUp}`, left, width }
  })
  return (
    <section aria-labelledby="balance-days" className="mt-10">
      <h2 id="balance-days" className="mb-2 text-h2 font-semibold">
        Balance, last {days.length} days
      </h2>
      <figure>
        <div className="grid grid-cols-[auto_1fr] gap-x-2 pt-2">
          <ChartScale ticks={chart.ticks} />
          <div className="relative min-w-0">
            <BarsReader name="Daily balance" bars={readable}>
              <ChartSvg chart={chart} />
              <TopUps chart={chart} days={days} />
            </BarsReader>
            <div aria-hidden="true" className="absolute inset-x-0 top-49 flex justify-between text-note text-ink-2">
              <span>{shortDay(at(days[0]?.day ?? ''))}</span>
              <span>Today</span>
            </div>
          </div>
        </div>
        <p className="mt-2 text-note text-ink-2">
          Balance at the end of each UTC day. The last point is the current balance.
          {days.some(({ toppedUpCredits }) => toppedUpCredits > 0) ? (
            <>
              {' '}
              <span aria-hidden="true" className="text-good">
                ▲
              </span>{' '}
              Top-up
            </>
          ) : null}
        </p>
        <Table days={days} />
      </figure>
    </section>
  )
}
