import { afterAll, beforeAll, expect, test } from 'vitest'
import { PortalStage } from '../portal/support/portal-stage.ts'
import { dataOf } from '../portal/support/visitor.ts'
import { mutationInputs } from './support/admin-mutations.ts'
import { adminProcedures } from './support/admin-procedures.ts'

/** Whatever is done at the desk is one line of the audit log, written with what it tells of: there is never one without the other. */
const stage = new PortalStage()

/** A reason with which no line can be written. */
const unwritable = 'The log is full.'

beforeAll(async () => {
  await stage.open(async (origin) => ({ MARKET_SOURCES: `feed-card=${origin}/no-such-feed` }))
  await stage.sql(
    `CREATE FUNCTION refuse_line() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'No line can be written.'; END $$;
     CREATE TRIGGER no_line BEFORE INSERT ON audit_entry FOR EACH ROW WHEN (NEW.reason = '${unwritable}') EXECUTE FUNCTION refuse_line()`,
  )
})
afterAll(() => stage.close())

const mutations = adminProcedures.filter(({ kind }) => kind === 'mutation').map(({ name }) => name)

async function sceneOf(name: string) {
  const [admin, member] = [await stage.administrator(), await stage.member()]
  const input = await mutationInputs[name]?.({ stage, admin, member })
  return { admin, input: input ?? expect.unreachable(`${name} has no input.`) }
}

/** Tables that change by themselves while a test looks on: jobs note what they did, and a session notes when it was used. */
const restless = ['portal_session', 'usage_progress', 'alert_progress', 'billing_check', 'attempt', 'source_fetch', 'job_run', 'service_reading']

/** How every table stands: a row that was written or changed has a new transaction, one that was taken away is missing. */
async function everything(): Promise<string[]> {
  const tables = await stage.sql<{ name: string }>(
    "SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> ALL ($1) ORDER BY 1",
    [restless],
  )
  const counts = tables.map(({ name }) => `SELECT '${name}' AS name, count(*) AS rows, max(xmin::text::bigint) AS newest FROM "${name}"`)
  const rows = await stage.sql<{ name: string; rows: string; newest: string | null }>(counts.join(' UNION ALL '))
  return rows.map(({ name, rows: count, newest }) => `${name}: ${count} rows, the newest of ${newest}`)
}

/** Letters that were asked for before are sent meanwhile, and those that are on their way just now have arrived. */
const mailsAreSent = () =>
  expect
    .poll(() => stage.sql("SELECT id FROM mailing WHERE ended_at IS NULL UNION ALL SELECT id FROM mail WHERE state = 'waiting'"), { timeout: 20_000 })
    .toEqual([])

test('every mutation of the desk has an input that it accepts, and no other has', () => {
  expect(Object.keys(mutationInputs).toSorted()).toEqual(mutations.toSorted())
})

test.each(mutations)('%s is one line: who, what, why, from where', async (name) => {
  const { admin, input } = await sceneOf(name)
  const linesFrom = (id: string) =>
    stage.sql<{ actor: string; by: string; reason: string; address: string; action: string }>(
      'SELECT actor, actor_account_id AS by, reason, address, action FROM audit_entry WHERE id > $1 ORDER BY id',
      [id],
    )
  const [last] = await stage.sql<{ id: string }>('SELECT coalesce(max(id), 0) AS id FROM audit_entry')
  const answer = await admin.visitor.call(name, 'mutation', { ...input, reason: `  Because of ${name}  ` })
  expect([answer.status, dataOf(answer) === undefined ? answer.body : null], JSON.stringify(answer.body)).toEqual([200, null])
  expect(await linesFrom(last?.id ?? '0')).toEqual([
    { actor: 'admin', by: String(admin.id), reason: `Because of ${name}`, address: '127.0.0.1', action: expect.stringMatching(/^[a-z][a-z-]*\.[a-z-]+$/) },
  ])
})

/** The tables that stand otherwise after a deed was asked for without a reason, and with one that cannot be written down. */
async function changedBy(name: string): Promise<string[]> {
  const { admin, input } = await sceneOf(name)
  await mailsAreSent()
  const before = await everything()
  expect((await admin.visitor.call(name, 'mutation', { ...input, reason: ' ' })).status).toBe(400)
  expect((await admin.visitor.call(name, 'mutation', { ...input, reason: unwritable })).status).toBe(500)
  return (await everything()).filter((table) => !before.includes(table))
}

// Jobs go on meanwhile, and what they do may be seen between the two looks. What a deed changed is seen every time, since each time it is a new one.
test.each(mutations)('%s changes nothing without a reason, nor when its line cannot be written', async (name) => {
  await expect.poll(() => changedBy(name), { timeout: 15_000 }).toEqual([])
})
