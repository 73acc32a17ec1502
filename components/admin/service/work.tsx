import { DataTable } from '#components/data/data-table.tsx'
import { ago } from '#components/data/dates.ts'
import { Time } from '#components/data/time.tsx'
import { number } from '#components/portal/amounts.ts'
import { Fact } from '#components/portal/fact.tsx'
import { took } from '#components/portal/took.ts'
import { Tag } from '#components/ui/tag.tsx'
import { AdminSection } from '../admin-title.tsx'

type Queue = { readonly waiting: number; readonly oldest: Date | null }

function Waiting({ queue, now }: { queue: Queue; now: Date }) {
  return (
    <>
      {number(queue.waiting)} waiting{queue.oldest === null ? ', none of them due.' : `, the oldest due since ${ago(queue.oldest, now)}.`}
    </>
  )
}

/** What waits to be sent. */
export function QueuesPart({ mail, webhooks, now }: { mail: Queue; webhooks: Queue & { readonly untold: number }; now: Date }) {
  return (
    <AdminSection id="queues" title="Queues">
      <dl className="border-t border-line">
        <Fact name="Mails">
          <Waiting queue={mail} now={now} />
        </Fact>
        <Fact name="Webhook deliveries">
          <Waiting queue={webhooks} now={now} />
        </Fact>
        <Fact name="Events to hand out">{number(webhooks.untold)}</Fact>
      </dl>
    </AdminSection>
  )
}

type Check = { readonly name: string; readonly doneAt: Date | null; readonly faults: number | null; readonly failedAt: Date | null }

const checkNames: Readonly<Record<string, string>> = { ledger: 'Balances against entries', reconciliation: 'Books against Stripe' }

function CheckResult({ doneAt, faults, failedAt }: Check) {
  if (failedAt !== null) return <Tag tone="danger">Failing</Tag>
  if (doneAt === null) return <Tag tone="plain">Not yet</Tag>
  return faults ? <Tag tone="danger">{number(faults)} different</Tag> : <Tag tone="good">All agree</Tag>
}

/** Whether the books agree. */
export function ChecksPart({ checks }: { checks: readonly Check[] }) {
  return (
    <AdminSection id="checks" title="Books">
      <dl className="border-t border-line">
        {checks.map((check) => (
          <Fact key={check.name} name={checkNames[check.name] ?? check.name}>
            <CheckResult {...check} /> {check.doneAt === null ? 'Never made.' : <Time at={check.doneAt} isStop />}
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

/** What came of the standing jobs. */
export function JobsPart({ jobs, now }: { jobs: readonly ShownJob[]; now: Date }) {
  return (
    <AdminSection id="jobs" title="Jobs">
      {jobs.length === 0 ? (
        <p>No job has run yet.</p>
      ) : (
        <DataTable
          caption="Jobs"
          rows={jobs}
          keyOf={({ name }) => name}
          columns={[
            { name: 'Job', isHead: true, cell: ({ name }) => <code className="font-mono">{name}</code> },
            { name: 'State', isBeside: true, cell: (job) => <JobTag {...job} /> },
            { name: 'Last done', cell: ({ okAt, tookMs }) => (okAt === null ? 'Never' : `${ago(okAt, now)}, took ${took(tookMs)}`) },
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

/** How large the database is. */
export function DatabasePart({ database }: { database: Size }) {
  return (
    <AdminSection id="database" title="Database">
      <p className="mb-3">{megabytes(database.bytes)} in all. Rows are what the database estimates.</p>
      <DataTable
        caption="Largest tables"
        rows={database.tables}
        keyOf={({ name }) => name}
        columns={[
          { name: 'Table', isHead: true, cell: ({ name }) => <code className="font-mono">{name}</code> },
          { name: 'Rows', isNumber: true, cell: ({ rows }) => number(Math.round(rows)) },
          { name: 'Size', isNumber: true, cell: ({ bytes }) => megabytes(bytes) },
        ]}
      />
    </AdminSection>
  )
}
