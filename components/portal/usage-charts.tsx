import type { ReactNode } from 'react'
import { BarChart } from '#components/charts/bar-chart.tsx'
import { toSeries, toValues } from '#components/charts/bars.ts'
import { ChartHead } from '#components/charts/chart-head.tsx'
import { ChartTable } from '#components/charts/chart-table.tsx'
import { groupColours, seriesColour, statusColours } from '#components/charts/colours.ts'
import { Legend } from '#components/charts/legend.tsx'
import { LineChart } from '#components/charts/line-chart.tsx'
import { lines } from '#components/charts/lines.ts'
import { type Grain, periodName } from '#components/charts/time-axis.ts'
import { number, took } from './amounts.ts'

export type Amounts = {
  readonly calls: number
  readonly credits: number
  readonly rejected: number
  readonly failed: number
  readonly p50Ms: number | null
  readonly p95Ms: number | null
}

export type UsageGroup = Amounts & { readonly id: string; readonly name: string; readonly mode: 'test' | 'live' | null }

export type UsagePeriod = Amounts & {
  /** UTC hour, day or month: `2026-11-21T07`, `2026-11-21` or `2026-11`. */
  readonly period: string
  readonly parts: readonly { readonly id: string; readonly calls: number; readonly credits: number }[]
}

export type ShownUsage = {
  readonly grain: Grain
  readonly by: 'endpoint' | 'key' | 'status'
  readonly asOf: Date
  readonly totals: Amounts
  readonly groups: readonly UsageGroup[]
  readonly periods: readonly UsagePeriod[]
}

type Measure = 'credits' | 'calls'

const frequency = { hour: 'Hourly', day: 'Daily', month: 'Monthly' } as const
const current = { hour: 'this hour', day: 'today', month: 'this month' } as const
const heads = { hour: 'Hour', day: 'Day', month: 'Month' } as const

const plurals = { endpoint: 'endpoints', key: 'keys', status: 'statuses' } as const

/** Returns the legend entry of a group. Omits the method of an endpoint if it is GET, as most are. */
const toEntry = (name: string) => (/^[A-Z]+ \//.test(name) ? { name: name.replace(/^GET /, ''), isCode: true } : { name })

const describe = (show: Measure) => (count: number) => `${number(count)} ${count === 1 ? show.slice(0, -1) : show}`

/** True if the last period of a report contains the time of the report. */
export const isLastOpen = ({ periods, asOf }: Pick<ShownUsage, 'periods' | 'asOf'>): boolean =>
  periods.at(-1) !== undefined && asOf.toISOString().startsWith(periods.at(-1)?.period ?? '-')

type Props = { usage: ShownUsage; timeZone: string }

type BarsProps = Props & {
  id?: string
  title: string
  show: Measure
  /** True to show each period's total as one series, without a legend. */
  isTotal?: boolean
  /** Controls next to the title. */
  controls?: ReactNode
  /** Link at the end of the title's row. */
  more?: ReactNode
}

/** Stacked bars of usage by period and group, with a title, a table and a legend. */
export function UsageBars({ usage, show, timeZone, id, title, isTotal = false, controls, more }: BarsProps) {
  const { grain, periods, groups } = usage
  const total = { id: 'total', name: show === 'credits' ? 'Credits' : 'Calls', total: usage.totals[show] }
  const series = isTotal ? [total] : toSeries(groups, show, (count) => `${count} more ${plurals[usage.by]}`)
  const values = periods.map(({ parts }) => toValues(parts, series, show))
  const colours = isTotal ? [seriesColour(0)] : groupColours(series)
  const hasOpen = isLastOpen(usage) && (values.at(-1) ?? []).some((value) => value > 0)
  return (
    <figure>
      <ChartHead {...(id === undefined ? {} : { id })} title={title}>
        {controls}
        <ChartTable
          caption={`${show === 'credits' ? 'Credits' : 'Calls'} per ${grain}`}
          head={heads[grain]}
          columns={isTotal ? series : [...series, { id: 'total', name: 'Total' }]}
          rows={periods.map(({ period, [show]: sum }, index) => ({
            id: period,
            name: periodName(period, timeZone),
            cells: (isTotal ? [sum] : [...(values[index] ?? []), sum]).map(number),
          }))}
        />
        {more}
      </ChartHead>
      <BarChart
        name={`${frequency[grain]} ${show}`}
        periods={periods.map(({ period }) => period)}
        values={values}
        series={series}
        colours={colours}
        describe={describe(show)}
        format={number}
        timeZone={timeZone}
        isLastOpen={isLastOpen(usage)}
      />
      <Legend
        entries={
          isTotal
            ? []
            : series.map((one, index) => ({ id: one.id, ...toEntry(one.name), value: describe(show)(one.total), swatch: colours[index]?.swatch ?? '' }))
        }
        caption={[...(grain === 'hour' ? [] : ['Days are in UTC.']), ...(hasOpen ? [`Hatched: ${current[grain]} (incomplete).`] : [])]}
      />
    </figure>
  )
}

function Panel({ id, title, table, children }: { id: string; title: string; table: ReactNode; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-panel border border-line bg-surface px-5 py-4">
      <ChartHead id={id} title={title}>
        {table}
      </ChartHead>
      {children}
    </section>
  )
}

export const statusSeries = [
  { id: 'ok', name: 'Success (2xx, 3xx)' },
  { id: 'rejected', name: 'Client errors (4xx)' },
  { id: 'failed', name: 'Server errors (5xx)' },
] as const

export const byStatus = ({ calls, rejected, failed }: Amounts): number[] => [calls - rejected - failed, rejected, failed]

/** Calls by status over time. */
export function StatusPanel({ usage, timeZone }: Props) {
  const { grain, periods, totals } = usage
  const values = periods.map(byStatus)
  return (
    <Panel
      id="responses"
      title="Responses"
      table={
        <ChartTable
          caption={`Responses per ${grain}`}
          isIcon
          head={heads[grain]}
          columns={statusSeries}
          rows={periods.map(({ period }, index) => ({ id: period, name: periodName(period, timeZone), cells: (values[index] ?? []).map(number) }))}
        />
      }
    >
      <BarChart
        name={`${frequency[grain]} responses by status`}
        periods={periods.map(({ period }) => period)}
        values={values}
        series={statusSeries}
        colours={statusColours}
        describe={describe('calls')}
        format={number}
        timeZone={timeZone}
        isLastOpen={isLastOpen(usage)}
        size="low"
      />
      <Legend
        entries={statusSeries.flatMap(({ id, name }, index) => {
          const value = byStatus(totals)[index] ?? 0
          return value === 0 && id !== 'ok' ? [] : [{ id, name, value: number(value), swatch: statusColours[index]?.swatch ?? '' }]
        })}
      />
    </Panel>
  )
}

const latencySeries = [
  { id: 'p50Ms', name: 'p50' },
  { id: 'p95Ms', name: 'p95' },
] as const

/** Median and 95th percentile of latency over time. */
export function LatencyPanel({ usage, timeZone }: Props) {
  const { grain, periods, totals } = usage
  const chart = lines(latencySeries.map(({ id }) => periods.map((period) => period[id])))
  if (chart === null) return null
  const colours = latencySeries.map((_, index) => seriesColour(index))
  return (
    <Panel
      id="latency"
      title="Latency"
      table={
        <ChartTable
          caption={`Latency per ${grain}`}
          isIcon
          head={heads[grain]}
          columns={latencySeries}
          rows={periods.map(({ period, p50Ms, p95Ms }) => ({ id: period, name: periodName(period, timeZone), cells: [took(p50Ms), took(p95Ms)] }))}
        />
      }
    >
      <LineChart
        name={`${frequency[grain]} latency`}
        periods={periods.map(({ period }) => period)}
        chart={chart}
        colours={colours}
        readings={periods.map(({ period, p50Ms, p95Ms, calls }) => ({
          title: periodName(period, timeZone),
          value: calls === 0 ? 'No calls' : `p50 ${took(p50Ms)}, p95 ${took(p95Ms)}`,
        }))}
        format={(ms) => (ms === 0 ? '0' : took(ms))}
        timeZone={timeZone}
        size="low"
      />
      <Legend entries={latencySeries.map(({ id, name }, index) => ({ id, name, value: took(totals[id]), swatch: colours[index]?.swatch ?? '' }))} />
    </Panel>
  )
}
