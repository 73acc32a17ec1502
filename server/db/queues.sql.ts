/**
 * SQL for queues: pg-boss jobs, whose tables are not in the Prisma schema, and email claims, which use the database's clock. Prisma also casts the states that
 * it compares, which keeps PostgreSQL from using the partial index of waiting emails.
 */
import type { Client } from 'pg'
import { PrimaryClient } from './primary-client.ts'
import type { Database, Db, Transaction } from './prisma.ts'

/** Runs pg-boss's statements on the service's connections. */
export const connectJobs = (db: Database) => ({ executeSql: (text: string, values?: unknown[]) => db.query(text, values) })

/** Adds a job to each of these queues, with the queue's options. Skips queues that don't exist yet. */
export async function sendJobs(db: Db, names: readonly string[]): Promise<void> {
  await db.query('SELECT send_job(name) FROM unnest($1::text[]) AS name', [names])
}

/**
 * Sends the job that resumes held webhooks, after an account's monthly cap has changed. Only on a Citus cluster: on a single server, a trigger of `wallet` does
 * this, but there the trigger would run on a worker, which has no queues.
 */
export async function sendResumption(tx: Transaction): Promise<void> {
  await tx.query("SELECT send_job('webhooks.resume') WHERE is_distributed()")
}

/**
 * Calls `onJob` whenever a transaction that sends jobs commits, and `onEnd` when the connection ends. Opens a separate connection, which must not go through a
 * pooler in transaction mode.
 */
export async function listenForJobs({ options }: Database, onJob: () => void, onEnd: () => void): Promise<Client> {
  const client = new PrimaryClient({ ...options, application_name: 'svc jobs' })
  // Followed by `end`.
  client.on('error', () => undefined)
  client.on('notification', onJob)
  await client.connect()
  client.once('end', onEnd)
  await client.query('LISTEN svc_jobs')
  return client
}

/** Returns the queues that have jobs to run now, in one statement for all queues. */
export async function readReadyQueues(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT q.name FROM pgboss.queue q WHERE EXISTS (SELECT FROM pgboss.job j
       WHERE j.name = q.name AND j.state IN ('created', 'retry') AND NOT j.blocked AND j.start_after <= now())`,
  )
  return rows.map(({ name }) => name)
}

/**
 * Last completed and last failed run of a scheduled job, and the interval of its schedule. A job that is waiting for a retry counts as failed. A failed queue
 * item, such as an email that the mail server rejects, doesn't make the job itself fail.
 */
const runsSql = `SELECT s.name, s.created_on, (s.data->>'everySeconds')::float8 AS every_seconds, ok.at AS ok_at, ok.took_ms, bad.at AS failed_at, bad.fault
  FROM pgboss.schedule s
    LEFT JOIN LATERAL (SELECT completed_on AS at, round(extract(epoch FROM completed_on - started_on) * 1000)::int AS took_ms FROM pgboss.job
      WHERE name = s.name AND state = 'completed' AND completed_on IS NOT NULL ORDER BY completed_on DESC LIMIT 1) ok ON true
    LEFT JOIN LATERAL (SELECT coalesce(completed_on, started_on) AS at, left(output->>'message', 500) AS fault FROM pgboss.job
      WHERE name = s.name AND state IN ('retry', 'failed') AND data->'id' IS NULL ORDER BY 1 DESC LIMIT 1) bad ON true`

/** Last runs of a job. `begunAt` is set while it runs. */
export type JobRun = { name: string; begunAt: Date | null; okAt: Date | null; tookMs: number | null; failedAt: Date | null; fault: string | null }

/** Returns the last runs of all scheduled jobs. */
export async function readJobRuns(db: Database): Promise<JobRun[]> {
  const { rows } = await db.query<JobRun>(
    `SELECT r.name, (SELECT max(started_on) FROM pgboss.job WHERE name = r.name AND state = 'active') AS "begunAt", r.ok_at AS "okAt", r.took_ms AS "tookMs",
       r.failed_at AS "failedAt", r.fault FROM (${runsSql}) r ORDER BY r.name LIMIT 200`,
  )
  return rows
}

/**
 * Job status, by the database's clock. `lateSeconds` is how long the next successful run is overdue, not counting the two minutes that pg-boss may take to
 * start a due job.
 */
export type JobStatus = { name: string; okAt: Date | null; tookMs: number | null; lateSeconds: number; isFailing: boolean }

const graceSeconds = 120

export async function readJobStatus(db: Database): Promise<JobStatus[]> {
  const { rows } = await db.query<JobStatus>(
    `SELECT r.name, r.ok_at AS "okAt", r.took_ms AS "tookMs", coalesce(r.failed_at > r.ok_at, r.failed_at IS NOT NULL) AS "isFailing",
       greatest(0, extract(epoch FROM now() - coalesce(r.ok_at, r.created_on)) - r.every_seconds - $1::float8)::float8 AS "lateSeconds"
     FROM (${runsSql}) r ORDER BY r.name LIMIT 200`,
    [graceSeconds],
  )
  return rows
}

/** Email claimed by a worker. */
export type ClaimedEmail = {
  id: number
  kind: string
  recipient: string
  data: unknown
  attempts: number
  createdAt: Date
  ageSeconds: number
  /** True for a message of a bulk email, which is sent at most once. */
  isBulk: boolean
  /** True if the mail server may have accepted the email in an earlier attempt. */
  wasHanded: boolean
  /** True if the recipient's account has been closed since the email was queued. */
  isClosed: boolean
}

/**
 * Claims an email for `leaseSeconds` if it is due, and updates its recipient to the account's current address. Returns undefined if it is finished, or isn't
 * due because another worker has claimed it.
 */
export async function claimEmail(db: Db, id: number, leaseSeconds: number): Promise<ClaimedEmail | undefined> {
  const { rows } = await db.query<ClaimedEmail>({
    name: 'claim-email',
    text: `UPDATE email e SET attempts = attempts + 1, due_at = now() + make_interval(secs => $2),
        recipient = coalesce((SELECT coalesce(o.email, a.email) FROM account a LEFT JOIN account o ON o.id = a.owner_id WHERE a.id = e.account_id AND a.closed_at IS NULL), recipient)
      WHERE id = $1 AND state = 'waiting' AND due_at <= now()
      RETURNING id, kind, recipient, coalesce((SELECT b.data FROM bulk_email b WHERE b.id = e.bulk_email_id), data) AS data, attempts, created_at AS "createdAt",
        extract(epoch FROM now() - created_at)::float8 AS "ageSeconds", bulk_email_id IS NOT NULL AS "isBulk", handed_over_at IS NOT NULL AS "wasHanded",
        coalesce((SELECT a.closed_at IS NOT NULL FROM account a WHERE a.id = e.account_id), false) AS "isClosed"`,
    values: [id, leaseSeconds],
  })
  return rows[0]
}

/**
 * Sends a job for each due email that has none. These are emails queued by an earlier release or before the first worker started, or restored from a backup.
 */
export async function sendWaitingEmails(db: Db, max: number): Promise<void> {
  await db.query(
    `SELECT send_email_jobs(array_agg(id)) FROM (
       SELECT e.id FROM email e WHERE e.state = 'waiting' AND e.due_at <= now() AND NOT EXISTS (SELECT FROM pgboss.job j
         WHERE j.name IN ('mail.send', 'mail.send-mailings') AND j.singleton_key = e.id::text AND j.state < 'active') LIMIT $1) waiting`,
    [max],
  )
}

/** Counting stops here, because above this the exact number doesn't matter. */
const maxCounted = 100_000

/**
 * The table is large, so the query reads only the partial index for each of the two kinds of waiting email. Retries postpone `due_at`, so emails that have been
 * attempted count as due since their creation. Otherwise nothing would look overdue while the mail server is down.
 */
const emailQueueSql = (
  filter: string,
) => `SELECT (SELECT count(*) FROM (SELECT FROM email WHERE state = 'waiting' AND ${filter} LIMIT ${maxCounted}) m) AS waiting,
  least((SELECT min(due_at) FROM email WHERE state = 'waiting' AND ${filter} AND due_at <= now()),
    (SELECT min(created_at) FROM (SELECT created_at, attempts FROM email WHERE state = 'waiting' AND ${filter} LIMIT ${maxCounted}) m WHERE attempts > 0)) AS oldest`

/** Number of waiting emails, and the time since which the oldest has been due (null if none is due). */
export type EmailQueue = { waiting: number; oldest: Date | null }

export async function readEmailQueue(db: Db): Promise<EmailQueue> {
  const { rows } = await db.query<EmailQueue>(
    `SELECT sum(waiting)::int AS waiting, min(oldest) AS oldest FROM (${emailQueueSql('bulk_email_id IS NULL')} UNION ALL ${emailQueueSql('bulk_email_id IS NOT NULL')}) q`,
  )
  return rows[0] ?? { waiting: 0, oldest: null }
}

/** Returns the next time at which an email becomes due or a claim ends; null if there is none. */
export async function readNextEmailAt(db: Db): Promise<Date | null> {
  const next = (filter: string) => `(SELECT min(due_at) FROM email WHERE state = 'waiting' AND ${filter} AND due_at > now())`
  const { rows } = await db.query<{ at: Date | null }>(`SELECT least(${next('bulk_email_id IS NULL')}, ${next('bulk_email_id IS NOT NULL')}) AS at`)
  return rows[0]?.at ?? null
}
