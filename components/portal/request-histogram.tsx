import { useQuery } from '@tanstack/react-query'
import { BarChart } from '#components/charts/bar-chart.tsx'
import { statusColours } from '#components/charts/colours.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { number } from './amounts.ts'
import { histogramInput, type RequestView } from './request-view.ts'
import { byStatus, isLastOpen, statusSeries } from './usage-charts.tsx'

const errors = (count: number) => `${number(count)} ${count === 1 ? 'error' : 'errors'}`
const calls = (count: number) => `${number(count)} ${count === 1 ? 'call' : 'calls'}`

/** Calls over time by outcome, for the filters of the request list. Left out for a search, which the usage figures can't be filtered by. */
export function RequestHistogram({ view, now }: { view: RequestView; now: Date }) {
  const { usage } = useTRPC()
  const isShown = view.search === null && view.before === null
  const { data } = useQuery(usage.report.queryOptions(histogramInput(view, now), { enabled: isShown }))
  if (!isShown || data === undefined || data.totals.calls === 0) return null
  const { periods, totals } = data
  return (
    <figure className="mb-2">
      <figcaption className="flex flex-wrap items-baseline gap-x-5 gap-y-1 text-note">
        <span className="font-medium">
          {calls(totals.calls)}
          <span className="text-ink-2 sm:hidden"> · {errors(totals.rejected + totals.failed)}</span>
        </span>
        {statusSeries.map(({ id, name }, index) => (
          <span key={id} className="inline-flex items-baseline gap-1.5 text-ink-2 max-sm:hidden">
            <span aria-hidden="true" className={`size-2 rounded-full ${statusColours[index]?.swatch}`} />
            {name} {number(byStatus(totals)[index] ?? 0)}
          </span>
        ))}
      </figcaption>
      <BarChart
        name="Calls over time by outcome"
        periods={periods.map(({ period }) => period)}
        values={periods.map(byStatus)}
        series={statusSeries}
        colours={statusColours}
        describe={calls}
        format={number}
        timeZone="UTC"
        isLastOpen={isLastOpen(data)}
        size="strip"
      />
    </figure>
  )
}
