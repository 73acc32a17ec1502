'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useCallback } from 'react'
import { ChartHead } from '#components/charts/chart-head.tsx'
import { Time, useTimeZone } from '#components/data/time.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Button, ButtonLink } from '#components/ui/button.tsx'
import { Figure, FigureStrip } from '#components/ui/figures.tsx'
import { PageHead } from '#components/ui/page-head.tsx'
import { number, percent, pounds, took } from './amounts.ts'
import type { Option } from './filter-select.tsx'
import { FailedPanel } from './missing-content.tsx'
import { type LinkTo, useUrlView } from './url-view.ts'
import { type Amounts, LatencyPanel, type ShownUsage, StatusPanel, UsageBars } from './usage-charts.tsx'
import { ChartControls, chartTitle, DownloadLink, UsageControls } from './usage-controls.tsx'
import { UsageErrors } from './usage-errors.tsx'
import { UsageTable } from './usage-table.tsx'
import { errorTone, rangeText, readUsageView, reportInput, type UsageView, usageHref } from './usage-view.ts'

/** Totals of the range. `errors` is the link to the view that shows the errors. */
function Totals({ totals, errors }: { totals: Amounts; errors: ComponentProps<'a'> }) {
  const { calls, credits, rejected, failed, p50Ms, p95Ms } = totals
  return (
    <FigureStrip count={4}>
      <Figure name="Calls" value={number(calls)} note={`${number(calls - rejected - failed)} successful`} />
      <Figure name="Credits" value={number(credits)} note={pounds(credits)} />
      <Figure
        name="Error rate"
        value={percent(rejected + failed, calls)}
        tone={errorTone(totals)}
        note={
          rejected + failed === 0 ? (
            'No errors'
          ) : (
            <>
              <span className="max-xl:hidden">
                {number(rejected)} client, {number(failed)} server ·{' '}
              </span>
              <a className="prose-link" {...errors}>
                Show errors
              </a>
            </>
          )
        }
      />
      <Figure name="Latency, p95" value={took(p95Ms)} note={`median ${took(p50Ms)}`} />
    </FigureStrip>
  )
}

/** Time of the report, and the time zones of its periods. Leaves out the date if it is today. */
function UpdatedAt({ usage: { asOf, grain }, zone }: { usage: ShownUsage; zone: string }) {
  const isToday = asOf.toISOString().slice(0, 10) === new Date().toISOString().slice(0, 10)
  return (
    <p className="mt-6 text-note text-ink-2">
      Updated <Time at={asOf} look={isToday ? 'clock' : 'minute'} isStop />.{' '}
      {grain === 'hour' ? `Hours are in ${zone === 'UTC' ? 'UTC' : `your time zone (${zone.replaceAll('_', ' ')})`}. Hourly figures go back 31 days. ` : null}
      Days and the daily limit are in UTC.
    </p>
  )
}

function Empty({ view }: { view: UsageView }) {
  const isFiltered = view.key !== null || view.endpoint !== null || view.status !== null
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3 py-6">
      <p>
        No {isFiltered ? 'matching ' : ''}calls {rangeText(view)}.
      </p>
      {isFiltered ? null : (
        <ButtonLink kind="second" size="compact" href="/portal/welcome">
          Show example call
        </ButtonLink>
      )}
    </div>
  )
}

type ReportProps = { usage: ShownUsage; view: UsageView; now: Date; zone: string; show: (view: UsageView) => void; linkTo: LinkTo<UsageView> }

function Report({ usage, view, now, zone, show, linkTo }: ReportProps) {
  const { groups, totals } = usage
  if (totals.calls === 0) return <Empty view={view} />
  const title = chartTitle(view)
  const controls = <ChartControls view={view} now={now} show={show} linkTo={linkTo} />
  return (
    <>
      <Totals totals={totals} errors={linkTo({ ...view, by: 'status', show: 'calls' })} />
      <div className="mt-10">
        {totals[view.show] === 0 ? (
          <>
            <ChartHead title={title}>{controls}</ChartHead>
            <p className="py-4 text-ink-2">No charges in this period.</p>
          </>
        ) : (
          <UsageBars usage={usage} show={view.show} timeZone={zone} title={title} controls={controls} />
        )}
      </div>
      <div className="mt-10 grid items-start gap-4 lg:grid-cols-2">
        <StatusPanel usage={usage} timeZone={zone} />
        <LatencyPanel usage={usage} timeZone={zone} />
      </div>
      {totals.rejected + totals.failed === 0 ? null : <UsageErrors view={view} />}
      <div className="mt-10">
        <UsageTable groups={groups} totals={totals} view={{ ...view, by: usage.by }} />
      </div>
    </>
  )
}

type Props = {
  view: UsageView
  /** Time at which the page was loaded. Ranges end then. */
  now: Date
  endpoints: readonly Option[]
  keys: readonly Option[]
  statuses: readonly number[]
}

/** Usage page: totals, charts and a table for the view in the URL. */
export function Usage({ view: initial, now, ...options }: Props) {
  const read = useCallback((parameters: Readonly<Record<string, string>>) => readUsageView(parameters, now), [now])
  const { view, show, linkTo } = useUrlView(initial, read, usageHref)
  const zone = useTimeZone()
  const { data, error, isFetching, refetch } = useQuery(useTRPC().usage.report.queryOptions(reportInput(view), { placeholderData: keepPreviousData }))
  let content: ReactNode = <div className="h-96 animate-pulse rounded-panel bg-sunken motion-reduce:animate-none" role="status" aria-label="Loading usage" />
  if (data !== undefined)
    content = (
      <div aria-busy={isFetching}>
        <Report usage={data} view={view} now={now} zone={zone} show={show} linkTo={linkTo} />
        <UpdatedAt usage={data} zone={zone} />
      </div>
    )
  else if (error !== null)
    content = (
      <FailedPanel
        what="your usage"
        reference={error.data?.reference ?? null}
        again={
          <Button kind="second" size="compact" type="button" onClick={() => void refetch()}>
            Try again
          </Button>
        }
      />
    )
  return (
    <>
      <PageHead title="Usage">
        <DownloadLink view={view} />
      </PageHead>
      <UsageControls view={view} now={now} show={show} linkTo={linkTo} {...options} />
      {content}
    </>
  )
}
