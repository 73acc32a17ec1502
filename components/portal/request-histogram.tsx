import { useQuery } from '@tanstack/react-query'
import { BarChart } from '#components/charts/bar-chart.tsx'
import { statusColours } from '#components/charts/colours.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { number } from './amounts.ts'
import { histogramInput, type RequestView } from './request-view.ts'
import { byStatus, isLastOpen, statusSeries } from './usage-charts.tsx'

const errors = (count: number) => `${number(count)} ${count === 1 ? 'error' : 'errors'}`
const calls = (count: number) => `${number(count)} ${count === 1 ? 'call' : 'calls'}`

/** Loads the calls of a view by outcome. Undefined for a search, which the usage figures can't be filtered by, and for older pages. */
function useHistogram(view: RequestView, now: Date) {
  const isShown = view.search === null && view.before === null
  const { data } = useQuery(useTRPC().usage.report.queryOptions(histogramInput(view, now), { enabled: isShown }))
  return isShown ? data : undefined
}

/** Returns the number of calls in a view; null if it is unknown. The histogram of the last hour covers a whole day. */
export function useCallCount(view: RequestView, now: Date): number | null {
  const data = useHistogram(view, now)
  return data === undefined || view.last === '1h' ? null : data.totals.calls
}

/** Calls over time by outcome, for the filters of the request list. Renders nothing if there are none. */
export function RequestHistogram({ view, now }: { view: RequestView; now: Date }) {
  const data = useHistogram(view, now)
  if (data === undefined || data.totals.calls === 0) return null
  const { periods, totals } = data
  return (
    <figure className="mb-4">
      <figcaption className="mb-3 flex flex-wrap items-baseline gap-x-5 gap-y-1 text-note">
        <span className="font-medium">
          {calls(totals.calls)}
          <span className="text-ink-2 sm:hidden"> · {errors(totals.rejected + totals.failed)}</span>
        </span>
        {statusSeries.map(({ id, name }, index) => (
          <span key={id} className="inline-flex items-baseline gap-1.5 text-ink-2 max-sm:hidden">
            <span aria-hidden="true" className={`mt-[calc((1lh-0.75rem)/2)] size-3 self-start ${statusColours[index]?.swatch}`} />
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
