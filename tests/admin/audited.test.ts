/** Tests that every admin mutation writes exactly one audit entry in the same transaction as the change. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PortalFixture } from '../portal/support/portal-fixture.ts'
import { getData } from '../portal/support/visitor.ts'
import { mutationInputs } from './support/admin-mutations.ts'
import { adminProcedures } from './support/admin-procedures.ts'

const fixture = new PortalFixture()

/** Reason that makes the test database reject the audit entry. */
const unwritable = 'The log is full.'

beforeAll(async () => {
  await fixture.open(async (origin) => ({ MARKET_SOURCES: `feed-card=${origin}/no-such-feed` }))
  await fixture.sql(
    `CREATE FUNCTION refuse_line() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'No line can be written.'; END $$;
     CREATE TRIGGER no_line BEFORE INSERT ON audit_entry FOR EACH ROW WHEN (NEW.reason = '${unwritable}') EXECUTE FUNCTION refuse_line()`,
  )
})
afterAll(() => fixture.close())

const mutations = adminProcedures.filter(({ kind }) => kind === 'mutation').map(({ name }) => name)

async function createFixture(name: string) {
  const [admin, member] = [await fixture.administrator(), await fixture.member()]
  const input = await mutationInputs[name]?.({ fixture, admin, member })
  return { admin, input: input ?? expect.unreachable(`mutationInputs has no entry for ${name}.`) }
}

/** Tables that change during a test because of background jobs and requests with a session. */
const backgroundTables = ['portal_session', 'usage_progress', 'alert_progress', 'billing_check', 'throttle', 'source_fetch', 'uptime_check']

/** Returns the row count and newest transaction of every table, which reveal inserts, updates and deletes. */
async function fingerprint(): Promise<string[]> {
  const tables = await fixture.sql<{ name: string }>(
    "SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> ALL ($1) ORDER BY 1",
    [backgroundTables],
  )
  const counts = tables.map(({ name }) => `SELECT '${name}' AS name, count(*) AS rows, max(xmin::text::bigint) AS newest FROM "${name}"`)
  const rows = await fixture.sql<{ name: string; rows: string; newest: string | null }>(counts.join(' UNION ALL '))
  return rows.map(({ name, rows: count, newest }) => `${name}: ${count} rows, the newest of ${newest}`)
}

/** Waits until all queued emails have been sent. */
const waitForEmails = () =>
  expect
    .poll(() => fixture.sql("SELECT id FROM bulk_email WHERE ended_at IS NULL UNION ALL SELECT id FROM email WHERE state = 'waiting'"), { timeout: 20_000 })
    .toEqual([])

test('mutationInputs has exactly one entry per admin mutation', () => {
  expect(Object.keys(mutationInputs).toSorted()).toEqual(mutations.toSorted())
})

test.each(mutations)('%s writes one audit entry with actor, action, reason and address', async (name) => {
  const { admin, input } = await createFixture(name)
  const linesFrom = (id: string) =>
    fixture.sql<{ actor: string; by: number; reason: string; address: string; action: string }>(
      'SELECT actor, actor_account_id AS by, reason, address, action FROM audit_entry WHERE id > $1 ORDER BY id',
      [id],
    )
  const [last] = await fixture.sql<{ id: string }>('SELECT coalesce(max(id), 0) AS id FROM audit_entry')
  const answer = await admin.visitor.call(name, 'mutation', { ...input, reason: `  Because of ${name}  ` })
  expect([answer.status, getData(answer) === undefined ? answer.body : null], JSON.stringify(answer.body)).toEqual([200, null])
  expect(await linesFrom(last?.id ?? '0')).toEqual([
    { actor: 'admin', by: admin.id, reason: `Because of ${name}`, address: '127.0.0.1', action: expect.stringMatching(/^[a-z][a-z-]*\.[a-z-]+$/) },
  ])
})

/** Runs a mutation twice, first without a reason and then with an audit entry that can't be written. Returns the tables that changed. */
async function changedBy(name: string): Promise<string[]> {
  const { admin, input } = await createFixture(name)
  await waitForEmails()
  const before = await fingerprint()
  expect((await admin.visitor.call(name, 'mutation', { ...input, reason: ' ' })).status).toBe(400)
  expect((await admin.visitor.call(name, 'mutation', { ...input, reason: unwritable })).status).toBe(500)
  return (await fingerprint()).filter((table) => !before.includes(table))
}

// Retries, because background jobs may change tables between the two fingerprints. A change by the mutation would appear in every attempt.
test.each(mutations)('%s changes nothing if the reason is missing or the audit entry cannot be written', async (name) => {
  await expect.poll(() => changedBy(name), { timeout: 15_000 }).toEqual([])
})
