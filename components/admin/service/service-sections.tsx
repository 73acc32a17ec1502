import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { ago } from '#components/data/time-format.ts'
import { number, took } from '#components/portal/amounts.ts'
import { Fact } from '#components/portal/fact.tsx'
import { Tag } from '#components/ui/tag.tsx'
import { AdminSection } from '../section.tsx'

type Queue = { readonly waiting: number; readonly oldest: Date | null }

function Waiting({ queue, now }: { queue: Queue; now: Date }) {
  return (
    <>
      {number(queue.waiting)} waiting{queue.oldest === null ? ', none due.' : `, oldest due ${ago(queue.oldest, now)}.`}
    </>
  )
}

/** Email and webhook queues. */
export function QueuesSection({ mail, webhooks, now }: { mail: Queue; webhooks: Queue & { readonly untold: number }; now: Date }) {
  return (
    <AdminSection id="queues" title="Queues">
      <dl className="border-t border-line">
        <Fact name="Emails">
          <Waiting queue={mail} now={now} />
        </Fact>
        <Fact name="Webhook deliveries">
          <Waiting queue={webhooks} now={now} />
        </Fact>
        <Fact name="Events to dispatch">{number(webhooks.untold)}</Fact>
      </dl>
    </AdminSection>
  )
}

type Check = { readonly name: string; readonly doneAt: Date | null; readonly faults: number | null; readonly failedAt: Date | null }

const checkNames: Readonly<Record<string, string>> = { ledger: 'Balances against ledger entries', reconciliation: 'Ledger against Stripe' }

function CheckResult({ doneAt, faults, failedAt }: Check) {
  if (failedAt !== null) return <Tag tone="danger">Failing</Tag>
  if (doneAt === null) return <Tag tone="plain">Not yet</Tag>
  return faults ? <Tag tone="danger">{number(faults)} mismatched</Tag> : <Tag tone="good">All match</Tag>
}

export function ChecksSection({ checks }: { checks: readonly Check[] }) {
  return (
    <AdminSection id="checks" title="Ledger checks">
      <dl className="border-t border-line">
        {checks.map((check) => (
          <Fact key={check.name} name={checkNames[check.name] ?? check.name}>
            <CheckResult {...check} /> {check.doneAt === null ? 'Never run.' : <Time at={check.doneAt} isStop />}
          </Fact>
        ))}
      </dl>
    </AdminSection>
  )
}

export type ShownJob = {
  readonly name: string
  readonly begunAt: Date | null
  readonly okAt: Date | null
  readonly tookMs: number | null
  readonly failedAt: Date | null
  readonly fault: string | null
}

function JobTag({ begunAt, okAt, failedAt }: ShownJob) {
  const isLater = (at: Date | null) => failedAt === null || (at !== null && at > failedAt)
  if (!(isLater(okAt) || isLater(begunAt))) return <Tag tone="danger">Failing</Tag>
  return <Tag tone="good">{begunAt === null ? 'Done' : 'Running'}</Tag>
}

export function JobsSection({ jobs, now }: { jobs: readonly ShownJob[]; now: Date }) {
  return (
    <AdminSection id="jobs" title="Jobs">
      {jobs.length === 0 ? (
        <p>No jobs have run yet.</p>
      ) : (
        <DataTable
          caption="Jobs"
          rows={jobs}
          rowKey={({ name }) => name}
          columns={[
            { name: 'Job', isHead: true, cell: ({ name }) => <code className="font-mono">{name}</code> },
            { name: 'State', isBeside: true, cell: (job) => <JobTag {...job} /> },
            { name: 'Last success', cell: ({ okAt, tookMs }) => (okAt === null ? 'Never' : `${ago(okAt, now)}, took ${took(tookMs)}`) },
            {
              name: 'Last failure',
              cell: ({ failedAt, fault }) => (failedAt === null ? 'None' : <span className="wrap-anywhere">{`${ago(failedAt, now)}: ${fault ?? ''}`}</span>),
            },
          ]}
        />
      )}
    </AdminSection>
  )
}

type Size = { readonly bytes: number; readonly tables: readonly { readonly name: string; readonly rows: number; readonly bytes: number }[] }

const megabytes = (bytes: number) => `${number(Math.round(bytes / 1_048_576))} MB`

/** Size of the database and its largest tables. */
export function DatabaseSection({ database }: { database: Size }) {
  return (
    <AdminSection id="database" title="Database">
      <p className="mb-3">{megabytes(database.bytes)} in total. Row counts are estimates.</p>
      <DataTable
        caption="Largest tables"
        rows={database.tables}
        rowKey={({ name }) => name}
        columns={[
          { name: 'Table', isHead: true, cell: ({ name }) => <code className="font-mono">{name}</code> },
          { name: 'Rows', isNumber: true, cell: ({ rows }) => number(Math.round(rows)) },
          { name: 'Size', isNumber: true, cell: ({ bytes }) => megabytes(bytes) },
        ]}
      />
    </AdminSection>
  )
}

type Line = { readonly at: Date; readonly requests: number; readonly refused: number; readonly failed: number }
type Latency = { readonly p50Ms: number | null; readonly p95Ms: number | null }

type ShownTraffic = {
  readonly asOf: Date | null
  readonly minutes: readonly Line[]
  readonly hours: readonly Line[]
  readonly hour: Latency
  readonly day: Latency
}

const sum = (lines: readonly Line[], part: 'requests' | 'refused' | 'failed') => lines.reduce((all, line) => all + line[part], 0)
const summary = (lines: readonly Line[]) =>
  `${number(sum(lines, 'requests'))} requests, ${number(sum(lines, 'refused'))} refused, ${number(sum(lines, 'failed'))} failed`
const speed = ({ p50Ms, p95Ms }: Latency) => (p50Ms === null ? 'No requests.' : `p50 ${took(p50Ms)}, p95 ${took(p95Ms)}.`)

function Lines({ caption, lines, look }: { caption: string; lines: readonly Line[]; look: 'hour' | 'row' }) {
  return (
    <details className="mt-3">
      <summary className="cursor-pointer font-medium">{caption}</summary>
      {lines.length === 0 ? (
        <p className="mt-2">No requests.</p>
      ) : (
        <DataTable
          caption={caption}
          rows={lines}
          rowKey={({ at }) => at.toISOString()}
          columns={[
            { name: 'From', isHead: true, cell: ({ at }) => <Time at={at} look={look} /> },
            { name: 'Requests', isNumber: true, cell: ({ requests }) => number(requests) },
            { name: 'Rejected (4xx)', isNumber: true, cell: ({ refused }) => number(refused) },
            { name: 'Failed (5xx)', isNumber: true, cell: ({ failed }) => number(failed) },
          ]}
        />
      )}
    </details>
  )
}

/** Recent requests, errors and latency. */
export function TrafficSection({ traffic, now }: { traffic: ShownTraffic; now: Date }) {
  const { asOf, minutes, hours, hour, day } = traffic
  return (
    <AdminSection id="traffic" title="Requests">
      <dl className="border-t border-line">
        <Fact name="Last hour">
          {summary(minutes)}. {speed(hour)}
        </Fact>
        <Fact name="Last 24 hours">
          {summary(hours)}. {speed(day)}
        </Fact>
        <Fact name="Counted up to">
          {asOf === null ? (
            'No data yet.'
          ) : (
            <>
              <Time at={asOf} look="second" isStop />, {ago(asOf, now)}
            </>
          )}
        </Fact>
      </dl>
      <Lines caption="By minute" lines={minutes} look="hour" />
      <Lines caption="By hour" lines={hours} look="row" />
    </AdminSection>
  )
}
