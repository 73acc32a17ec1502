'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { Time } from '#components/data/time.tsx'
import { ago } from '#components/data/time-format.ts'
import { number, percent, took } from '#components/portal/amounts.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Tag } from '#components/ui/tag.tsx'
import { errors } from '#server/api/contract/errors.ts'
import { type AdminColumn, AdminTable } from '../kit/admin-table.tsx'
import { accountHref, CellLink, Code, DescriptionList, Heading, type Outputs, Section } from '../kit/layout.tsx'

type Board = Outputs['boards']['service']
type Traffic = Board['traffic']
type Line = Traffic['minutes'][number]
type Job = Board['jobs'][number]

/** Requests in total. */
const summary = (lines: readonly Line[]) => {
  const sum = (part: 'requests' | 'refused' | 'failed') => number(lines.reduce((all, line) => all + line[part], 0))
  return `${sum('requests')} requests, ${sum('refused')} rejected (4xx), ${sum('failed')} failed (5xx)`
}
const speed = ({ p50Ms, p95Ms }: Traffic['hour']) => (p50Ms === null ? 'No requests.' : `p50 ${took(p50Ms)}, p95 ${took(p95Ms)}.`)

const lineColumns = (look: 'hour' | 'row'): readonly AdminColumn<Line>[] => [
  { name: 'From', isHead: true, cell: ({ at }) => <Time at={at} look={look} /> },
  { name: 'Requests', isNumber: true, cell: ({ requests }) => number(requests) },
  { name: 'Rejected (4xx)', isNumber: true, cell: ({ refused }) => number(refused) },
  { name: 'Failed (5xx)', isNumber: true, cell: ({ failed }) => number(failed) },
]

function Lines({ caption, lines, look }: { caption: string; lines: readonly Line[]; look: 'hour' | 'row' }) {
  return (
    <details className="mt-3">
      <summary className="cursor-pointer font-medium">{caption}</summary>
      <AdminTable caption={caption} rows={lines} rowKey={({ at }) => at.toISOString()} columns={lineColumns(look)} empty="No requests." />
    </details>
  )
}

/** Recent requests, errors and latency. */
function TrafficSection({ traffic: { asOf, minutes, hours, hour, day }, now }: { traffic: Traffic; now: Date }) {
  const counted =
    asOf === null ? (
      'No data yet.'
    ) : (
      <>
        <Time at={asOf} look="second" isStop />, {ago(asOf, now)}
      </>
    )
  return (
    <Section id="traffic" title="Requests">
      <DescriptionList
        items={[
          ['Last hour', `${summary(minutes)}. ${speed(hour)}`],
          ['Last 24 hours', `${summary(hours)}. ${speed(day)}`],
          ['Data up to', counted],
        ]}
      />
      <Lines caption="By minute" lines={minutes} look="hour" />
      <Lines caption="By hour" lines={hours} look="row" />
    </Section>
  )
}

/** Returns the error code of a status, if the API has only one. */
function getOnlyCode(status: number): string | null {
  const [code = null, ...others] = Object.entries(errors).flatMap(([name, error]) => (error.status === status ? [name] : []))
  return others.length === 0 ? code : null
}

/** Status with its error code, if the API has only one. */
function ErrorName({ status }: { status: number }) {
  return (
    <>
      {status} <Code>{getOnlyCode(status)}</Code>
    </>
  )
}

const callerColumns: readonly AdminColumn<Board['today']['callers'][number]>[] = [
  { name: 'Account', isHead: true, cell: ({ account, email }) => <CellLink href={accountHref(account)}>{email}</CellLink> },
  { name: 'Calls', isNumber: true, cell: ({ calls }) => number(calls), sort: ({ calls }) => calls },
  { name: 'Credits', isNumber: true, cell: ({ credits }) => number(credits), sort: ({ credits }) => credits },
  {
    name: 'Error rate',
    isNumber: true,
    cell: ({ account, calls, rejected, failed }) =>
      rejected + failed === 0 ? (
        percent(0, calls)
      ) : (
        <CellLink href={accountHref(account, '/requests?failed=yes')}>{`${percent(rejected + failed, calls)} (${number(rejected + failed)})`}</CellLink>
      ),
    sort: ({ calls, rejected, failed }) => (rejected + failed) / calls,
  },
  { name: 'Top error', cell: ({ topStatus }) => (topStatus === null ? 'None' : <ErrorName status={topStatus} />), sort: ({ topStatus }) => topStatus ?? 0 },
]

const errorColumns: readonly AdminColumn<Board['today']['errors'][number]>[] = [
  {
    name: 'Error',
    isHead: true,
    cell: ({ status }) => <ErrorName status={status} />,
    sort: ({ status }) => status,
  },
  { name: 'Endpoint', cell: ({ endpoint }) => <Code>{endpoint}</Code>, sort: ({ endpoint }) => endpoint },
  { name: 'Calls', isNumber: true, cell: ({ calls }) => number(calls), sort: ({ calls }) => calls },
  { name: 'Accounts', isNumber: true, cell: ({ accounts }) => number(accounts), sort: ({ accounts }) => accounts },
]

/** Accounts with the most calls, and the most frequent errors, of the current UTC day. */
function Today({ today: { callers, errors: faults }, weekCallers }: Pick<Board, 'today' | 'weekCallers'>) {
  return (
    <>
      <Section id="callers" title="Top callers today" lead="Since midnight UTC, as of the last count. Includes calls with test keys.">
        <AdminTable caption="Top callers today" rows={callers} rowKey={({ account }) => account} columns={callerColumns} empty="No calls yet today." />
      </Section>
      <Section id="week-callers" title="Top callers in 7 days" lead="The last seven UTC days, including today.">
        <AdminTable
          caption="Top callers in 7 days"
          rows={weekCallers}
          rowKey={({ account }) => account}
          columns={callerColumns}
          empty="No calls in the last 7 days."
        />
      </Section>
      <Section id="errors" title="Top errors today">
        <AdminTable
          caption="Top errors today"
          rows={faults}
          rowKey={({ status, endpoint }) => `${status} ${endpoint}`}
          columns={errorColumns}
          empty="No errors yet today."
        />
      </Section>
    </>
  )
}

const waiting = ({ waiting: count, oldest }: { readonly waiting: number; readonly oldest: Date | null }, now: Date): string =>
  `${number(count)} waiting${oldest === null ? ', none due.' : `, oldest due ${ago(oldest, now)}.`}`

const checkNames: Readonly<Record<string, string>> = { ledger: 'Balances against ledger entries', reconciliation: 'Ledger against Stripe' }

function CheckResult({ doneAt, faults, failedAt }: Board['checks'][number]) {
  if (failedAt !== null) return <Tag tone="danger">Failing</Tag>
  if (doneAt === null) return <Tag tone="plain">Not run yet</Tag>
  return faults ? <Tag tone="danger">{number(faults)} mismatched</Tag> : <Tag tone="good">All match</Tag>
}

function JobTag({ begunAt, okAt, failedAt }: Job) {
  const isLater = (at: Date | null) => failedAt === null || (at !== null && at > failedAt)
  if (!(isLater(okAt) || isLater(begunAt))) return <Tag tone="danger">Failing</Tag>
  return <Tag tone="good">{begunAt === null ? 'Done' : 'Running'}</Tag>
}

const jobColumns = (now: Date): readonly AdminColumn<Job>[] => [
  { name: 'Job', isHead: true, cell: ({ name }) => <Code>{name}</Code>, sort: ({ name }) => name },
  { name: 'State', isBeside: true, cell: (job) => <JobTag {...job} /> },
  {
    name: 'Last success',
    cell: ({ okAt, tookMs }) => (okAt === null ? 'Never' : `${ago(okAt, now)}, took ${took(tookMs)}`),
    sort: ({ okAt }) => okAt?.getTime() ?? 0,
  },
  {
    name: 'Last failure',
    cell: ({ failedAt, fault }) => (failedAt === null ? 'None' : <span className="wrap-anywhere">{`${ago(failedAt, now)}: ${fault ?? ''}`}</span>),
    sort: ({ failedAt }) => failedAt?.getTime() ?? 0,
  },
]

const megabytes = (bytes: number) => (bytes < 1_048_576 ? `${number(Math.ceil(bytes / 1_024))} KB` : `${number(Math.round(bytes / 1_048_576))} MB`)

const tableColumns: readonly AdminColumn<Board['database']['tables'][number]>[] = [
  { name: 'Table', isHead: true, cell: ({ name }) => <Code>{name}</Code>, sort: ({ name }) => name },
  { name: 'Rows', isNumber: true, cell: ({ rows }) => number(Math.round(rows)), sort: ({ rows }) => rows },
  { name: 'Size', isNumber: true, cell: ({ bytes }) => megabytes(bytes), sort: ({ bytes }) => bytes },
]

/** Health of the service: requests, queues, ledger checks, jobs and the size of the database. */
export function ServiceBoard() {
  const { data, dataUpdatedAt } = useSuspenseQuery(useTRPC().admin.boards.service.queryOptions())
  const { today, weekCallers, traffic, mail, webhooks, checks, jobs, database } = data
  // Uses the time of the figures, because the clocks of the server and the browser may differ.
  const now = new Date(dataUpdatedAt)
  return (
    <>
      <Heading title="Service" />
      <TrafficSection traffic={traffic} now={now} />
      <Today today={today} weekCallers={weekCallers} />
      <Section id="queues" title="Queues">
        <DescriptionList
          items={[
            ['Emails', waiting(mail, now)],
            ['Webhook deliveries', waiting(webhooks, now)],
            ['Events to dispatch', number(webhooks.untold)],
          ]}
        />
      </Section>
      <Section id="checks" title="Ledger checks">
        <DescriptionList
          items={checks.map((check) => [
            checkNames[check.name] ?? check.name,
            <span key={check.name}>
              <CheckResult {...check} /> {check.doneAt === null ? 'Never run.' : <Time at={check.doneAt} isStop />}
            </span>,
          ])}
        />
      </Section>
      <Section id="jobs" title="Jobs">
        <AdminTable caption="Jobs" rows={jobs} rowKey={({ name }) => name} columns={jobColumns(now)} empty="No jobs have run yet." />
      </Section>
      <Section id="database" title="Database" lead={`${megabytes(database.bytes)} in total. Sizes include indexes; row counts are estimates.`}>
        <AdminTable caption="Largest tables" rows={database.tables} rowKey={({ name }) => name} columns={tableColumns} empty="No tables." />
      </Section>
    </>
  )
}
