import { formatDay, formatMonth } from './formats.tsx'
import { type ChartRange, type ChartStep, linePath, monthTicks, type RateChart, rateChart, type Tread } from './rate-geometry.ts'

/** SVG of the chart; the summary and the table give the same data as text. It is stretched to fit, so it contains no text, and strokes keep their width. */
function ChartSvg({ treads, ticks, hasBonus, dotSize = 8 }: RateChart & { dotSize?: number }) {
  const stroke = { vectorEffect: 'non-scaling-stroke' } as const
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="absolute inset-0 size-full overflow-visible" aria-hidden="true" focusable="false">
      {ticks.map(({ rate, top }) => (
        <path key={rate} d={`M0 ${top}H100`} className="stroke-line" strokeWidth="1" {...stroke} />
      ))}
      {hasBonus ? (
        <path
          d={linePath(treads.map((tread) => ({ ...tread, top: tread.baseTop })))}
          fill="none"
          className="stroke-chart-2"
          strokeWidth="1.5"
          strokeDasharray="4 3"
          {...stroke}
        />
      ) : null}
      <path d={linePath(treads)} fill="none" className="stroke-chart-1" strokeWidth="2" strokeLinejoin="round" {...stroke} />
      {treads
        .filter(({ isChange }) => isChange)
        .map(({ left, top }) => (
          <path key={left} d={`M${left} ${top}h0`} className="stroke-chart-1" strokeWidth={dotSize} strokeLinecap="round" {...stroke} />
        ))}
    </svg>
  )
}

/** Hatching between base rate and full rate. Placed outside the SVG so that it isn't stretched. */
function Bonus({ tread: { left, right, top, baseTop } }: { tread: Tread }) {
  return (
    <div
      className="absolute bg-[repeating-linear-gradient(135deg,var(--color-chart-2)_0_1px,transparent_1px_8px)] opacity-70"
      style={{ left: `${left}%`, width: `${right - left}%`, top: `${top}%`, height: `${Math.max(0, baseTop - top)}%` }}
    />
  )
}

/** Legend of the two lines of an account with a bonus. */
function Legend({ last }: { last: ChartStep | undefined }) {
  const rate = last?.rate ?? null
  return (
    <ul className="mt-3 flex flex-wrap gap-x-6 gap-y-1 text-note text-ink-2">
      <li className="flex items-center gap-2">
        <span className="h-0.5 w-5 bg-chart-1" aria-hidden="true" />
        Rate{rate === null ? '' : `, now ${rate}%`}
      </li>
      <li className="flex items-center gap-2">
        <span className="h-0 w-5 border-t-2 border-dashed border-chart-2" aria-hidden="true" />
        Without the bonus{rate === null || rate === last?.baseRate ? '' : `, now ${last?.baseRate}%`}
      </li>
    </ul>
  )
}

function Row({ step, hasBonus }: { step: ChartStep; hasBonus: boolean }) {
  const cell = 'py-2 pl-3 text-right tabular-nums'
  return (
    <tr className="border-b border-line">
      <th scope="row" className="py-2 text-left font-normal">
        {formatDay(step.date)}
      </th>
      <td className={cell}>{step.rate === null ? 'Withdrawn' : `${step.rate}%`}</td>
      {hasBonus ? <td className={cell}>{step.rate === null ? '–' : `${step.baseRate}%`}</td> : null}
    </tr>
  )
}

/** Data of the chart as a table, newest first. */
function Table({ steps, hasBonus }: { steps: readonly ChartStep[]; hasBonus: boolean }) {
  const head = 'py-2 text-note font-medium text-ink-2'
  return (
    <details className="mt-3">
      <summary className="prose-link min-h-8 cursor-pointer py-1">Show as table</summary>
      <table className="mt-2 w-full max-w-md border-t border-line-strong">
        <caption className="sr-only">Rates by start date, newest first</caption>
        <thead>
          <tr className="border-b border-line-strong">
            <th scope="col" className={`${head} text-left`}>
              From
            </th>
            <th scope="col" className={`${head} pl-3 text-right`}>
              Rate, AER
            </th>
            {hasBonus ? (
              <th scope="col" className={`${head} pl-3 text-right`}>
                Without bonus
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {steps.toReversed().map((step) => (
            <Row key={step.date} step={step} hasBonus={hasBonus} />
          ))}
        </tbody>
      </table>
    </details>
  )
}

/** Time axis: months, with the year where it changes. */
function Months({ from, to }: { from: string; to: string }) {
  const months = monthTicks(from, to)
  return (
    <div className="relative mt-2 mr-2 ml-13 h-9 text-note text-ink-2" aria-hidden="true">
      {months.map(({ date, left }, index) => (
        <span key={date} className="absolute -translate-x-1/2 text-center" style={{ left: `${left}%` }}>
          {formatMonth(date)}
          <span className="block">{months[index - 1]?.date.slice(0, 4) === date.slice(0, 4) ? '' : date.slice(0, 4)}</span>
        </span>
      ))}
    </div>
  )
}

const countText = (changes: number) => (changes === 0 ? 'No change' : changes === 1 ? '1 change' : `${changes} changes`)

/** Summarises the chart in words. A launch or a withdrawal doesn't count as a rate change. */
function summarise({ from, steps }: ChartRange): string {
  const last = steps.at(-1)
  const changes = steps.filter((step, index) => step.rate !== null && (steps[index - 1]?.rate ?? null) !== null)
  const first = steps.find(({ rate }) => rate !== null)
  const since = first && first.date > from ? ` First seen on ${formatDay(first.date)}.` : ''
  const now = last?.rate === null ? `Withdrawn on ${formatDay(last.date)}.` : `${last?.rate}% since ${formatDay(last?.date ?? from)}.`
  return `${now} ${countText(changes.length)} in the last 12 months.${since}`
}

/** Step chart of a rate over twelve months without axes, for a row. Its summary is for screen readers. */
export function RateSparkline({ history }: { history: ChartRange }) {
  const chart = rateChart(history)
  if (chart === null) return null
  return (
    <figure className="w-24 shrink-0 sm:w-44">
      <figcaption className="sr-only">{summarise(history)}</figcaption>
      <div className="relative mx-1 h-8">
        <ChartSvg treads={chart.treads} ticks={[]} hasBonus={false} dotSize={5} />
      </div>
    </figure>
  )
}

/** Step chart of a product's rate over twelve months. */
export function RateSteps({ history }: { history: ChartRange }) {
  const chart = rateChart(history)
  if (chart === null) return <p className="text-ink-2">No rate history for the last 12 months.</p>
  return (
    <figure>
      <figcaption className="mb-4 text-ink-2">{summarise(history)}</figcaption>
      <div className="flex gap-2" aria-hidden="true">
        <div className="relative h-48 w-11 shrink-0 text-right text-note text-ink-2 tabular-nums">
          {chart.ticks.map(({ rate, top }) => (
            <span key={rate} className="absolute right-0 -translate-y-1/2" style={{ top: `${top}%` }}>
              {rate}%
            </span>
          ))}
        </div>
        <div className="relative mr-2 grow">
          {chart.hasBonus ? chart.treads.map((tread) => <Bonus key={tread.left} tread={tread} />) : null}
          <ChartSvg {...chart} />
        </div>
      </div>
      <Months from={history.from} to={history.to} />
      {/* Without a bonus there is only one line, which the summary describes. */}
      {chart.hasBonus ? <Legend last={history.steps.at(-1)} /> : null}
      <Table steps={history.steps} hasBonus={chart.hasBonus} />
    </figure>
  )
}
