import { shortDay, weekDay } from '#components/data/time-format.ts'
import { number } from './amounts.ts'
import { BarsReader } from './bars-reader.tsx'
import { type BarChart, barChart, type ChartDay, type ChartGroup, type Measure } from './chart-geometry.ts'
import { ChartScale } from './chart-parts.tsx'

/** Colours of the series in order; the "other" series has its own. */
const fills = ['fill-chart-1', 'fill-chart-2', 'fill-chart-3', 'fill-chart-4'] as const
const swatches = ['bg-chart-1', 'bg-chart-2', 'bg-chart-3', 'bg-chart-4'] as const

const getColour = (list: readonly string[], chart: BarChart, place: number, other: string): string =>
  chart.series[place]?.id === 'other' ? other : (list[place] ?? other)

const at = (day: string): Date => new Date(`${day}T00:00:00Z`)

const amount = (count: number, show: Measure): string => `${number(count)} ${count === 1 ? show.slice(0, -1) : show}`

/** SVG of the chart. It is stretched to fit, so it contains no text, and strokes keep their width. */
function ChartSvg({ chart }: { chart: BarChart }) {
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="absolute inset-0 size-full" aria-hidden="true" focusable="false">
      {chart.ticks.map(({ value, top }) => (
        <path key={value} d={`M0 ${top}H100`} className="stroke-line" strokeWidth="1" vectorEffect="non-scaling-stroke" />
      ))}
      {chart.bars.flatMap(({ day, left, width, pieces }) =>
        pieces.map(({ series, top, height }) => (
          <rect
            key={`${day} ${series}`}
            x={left}
            y={top}
            width={width}
            height={height}
            className={`${getColour(fills, chart, series, 'fill-chart-other')} stroke-canvas`}
            strokeWidth="1"
            vectorEffect="non-scaling-stroke"
          />
        )),
      )}
    </svg>
  )
}

/** Hatching over today's bar, because the day isn't over. Placed outside the SVG so that it isn't stretched. */
function Today({ chart, today }: { chart: BarChart; today: string }) {
  const bar = chart.bars.find(({ day, total }) => day === today && total > 0)
  if (!bar) return null
  const top = Math.min(...bar.pieces.map((piece) => piece.top))
  return (
    <div
      className="absolute bottom-0 bg-[repeating-linear-gradient(135deg,var(--color-canvas)_0_2px,transparent_2px_6px)]"
      style={{ left: `${bar.left}%`, width: `${bar.width}%`, top: `${top}%` }}
    />
  )
}

function Legend({ chart, show, hasToday }: { chart: BarChart; show: Measure; hasToday: boolean }) {
  return (
    <ul className="mt-2 flex flex-wrap gap-x-6 gap-y-1 text-table">
      {chart.series.map(({ id, name, total }, place) => (
        <li key={id} className="flex min-w-0 items-baseline gap-2">
          <span aria-hidden="true" className={`size-3 shrink-0 ${getColour(swatches, chart, place, 'bg-chart-other')}`} />
          <span className="min-w-0 wrap-anywhere">{name}</span>
          <span className="whitespace-nowrap text-ink-2 tabular-nums">{amount(total, show)}</span>
        </li>
      ))}
      {hasToday ? <li className="text-ink-2">Hatched: today (incomplete)</li> : null}
    </ul>
  )
}

/** Data of the chart as a table: one row per day, one column per series. */
function Table({ chart, days, show }: { chart: BarChart; days: readonly ChartDay[]; show: Measure }) {
  const own = new Set(chart.series.map(({ id }) => id))
  const sumSeries = (day: ChartDay, id: string) =>
    day.parts.filter((part) => (id === 'other' ? part.id === id || !own.has(part.id) : part.id === id)).reduce((sum, part) => sum + part[show], 0)
  const cell = 'py-1.5 pl-3 text-right tabular-nums'
  return (
    <details className="mt-3">
      <summary className="prose-link min-h-8 cursor-pointer py-1">Show as table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
      <section className="overflow-x-auto" aria-label="Chart data" tabIndex={0}>
        <table className="mt-2 w-full border-t border-line-strong text-table">
          <caption className="sr-only">{show === 'credits' ? 'Credits' : 'Calls'} per UTC day</caption>
          <thead>
            <tr className="border-b border-line-strong text-ink-2">
              <th scope="col" className="py-2 text-left font-medium">
                Day
              </th>
              {chart.series.map(({ id, name }) => (
                <th key={id} scope="col" className="py-2 pl-3 text-right font-medium">
                  {name}
                </th>
              ))}
              <th scope="col" className="py-2 pl-3 text-right font-medium">
                Total
              </th>
            </tr>
          </thead>
          <tbody>
            {days.map((day, index) => (
              <tr key={day.day} className="border-b border-line">
                <th scope="row" className="py-1.5 text-left font-normal whitespace-nowrap">
                  {shortDay(at(day.day))}
                </th>
                {chart.series.map(({ id }) => (
                  <td key={id} className={cell}>
                    {number(sumSeries(day, id))}
                  </td>
                ))}
                <td className={cell}>{number(chart.bars[index]?.total ?? 0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}

type Props = { days: readonly ChartDay[]; groups: readonly ChartGroup[]; show: Measure; today: string }

/** Stacked bars of daily usage, with a legend and a table. Renders nothing if there is nothing to draw. */
export function UsageBars({ days, groups, show, today }: Props) {
  const chart = barChart(days, groups, show)
  if (chart === null) return null
  const hasToday = chart.bars.some(({ day, total }) => day === today && total > 0)
  const slot = 100 / chart.bars.length
  const readable = chart.bars.map(({ day, total }, index) => ({
    label: `${weekDay(at(day))}: ${amount(total, show)}${day === today ? ' so far' : ''}`,
    left: index * slot,
    width: slot,
  }))
  const [first, last] = [days[0], days.at(-1)]
  return (
    <figure>
      <div className="grid grid-cols-[auto_1fr] gap-x-2 pt-2">
        <ChartScale ticks={chart.ticks} />
        <div className="relative min-w-0">
          <BarsReader name={show === 'credits' ? 'Daily credits' : 'Daily calls'} bars={readable}>
            <ChartSvg chart={chart} />
            <Today chart={chart} today={today} />
          </BarsReader>
          <div aria-hidden="true" className="absolute inset-x-0 top-49 flex justify-between text-note text-ink-2">
            <span>{first ? shortDay(at(first.day)) : ''}</span>
            <span>{last && last !== first ? (last.day === today ? 'Today' : shortDay(at(last.day))) : ''}</span>
          </div>
        </div>
      </div>
      <Legend chart={chart} show={show} hasToday={hasToday} />
      <Table chart={chart} days={days} show={show} />
    </figure>
  )
}
