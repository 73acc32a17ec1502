/** Tests search, pagination and CSV export of the audit log. */
import { expect, test } from 'vitest'
import { changeLimits, changePlan } from '#server/accounts/accounts.ts'
import type { Member } from '../portal/support/portal-fixture.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { getData } from '../portal/support/visitor.ts'

const fixture = portalFixture()

type Scene = { admin: Member; member: Member; mark: string }
let made: Promise<Scene> | undefined

/** Creates 120 entries about one account, all with the same timestamp, and three other entries. */
const scene = (): Promise<Scene> =>
  (made ??= (async () => {
    const [admin, member] = [await fixture.administrator(), await fixture.member()]
    const mark = `subject_${member.id}`
    await fixture.sql(
      `INSERT INTO audit_entry (account_id, at, actor, action, subject, before, after, address, actor_account_id, reason)
       SELECT $1, '2026-03-05T23:59:59.999Z', 'admin', 'test.line-' || n % 2, $3, '{"state": "a", "same": 1}', jsonb_build_object('state', n, 'same', 1), '203.0.113.7', $2,
         '=1+' || n FROM generate_series(1, 120) n`,
      [member.id, admin.id, mark],
    )
    await fixture.sql("INSERT INTO audit_entry (at, actor, action, subject) VALUES ('2026-03-06T00:00:00Z', 'operator', 'test.other', $1)", [mark])
    await changePlan(fixture.pool, member.email, 'business')
    await changeLimits(fixture.pool, member.email, { perMinute: 90 })
    return { admin, member, mark }
  })())

type Line = { id: string; action: string; account: string | null; admin: string | null; reason: string | null }

/** Returns the matching entries from all pages. */
async function searched({ visitor }: Member, filter: object): Promise<Line[]> {
  const lines: Line[] = []
  for (let cursor: string | null = null, pages = 0; pages < 10; pages++) {
    const page: { lines: Line[]; next: string | null } = getData(await visitor.call('admin.audit.list', 'query', { ...filter, cursor }))
    expect(page.lines.length).toBeLessThanOrEqual(50)
    lines.push(...page.lines)
    cursor = page.next
    if (cursor === null) return lines
  }
  return expect.unreachable('Pagination did not end after 10 pages.')
}

test('returns each matching entry once, newest first, even if timestamps are equal', async () => {
  const { admin, member, mark } = await scene()
  const [account, by] = [member.publicId, admin.publicId]
  const count = async (filter: object) => {
    const lines = await searched(admin, filter)
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length)
    return lines.length
  }
  expect(await count({ account })).toBe(122)
  expect(await count({ admin: by })).toBe(120)
  expect(await count({ subject: mark })).toBe(121)
  expect(await count({ account, action: 'test.line-1' })).toBe(60)
  expect(await count({ subject: mark, from: '2026-03-05', to: '2026-03-05' })).toBe(120)
  expect(await count({ subject: mark, from: '2026-03-06', to: '2026-03-06' })).toBe(1)
  expect(await count({ account, to: '2026-03-04' })).toBe(0)
  expect(await count({ account: 'acc_0000000000000000' })).toBe(0)
  const ids = (await searched(admin, { subject: mark })).map(({ id }) => Number(id))
  expect(ids.slice(1)).toEqual(ids.slice(1).toSorted((a, b) => b - a))
})

test('shows actor, change and reason, and keeps filters in the URL', async () => {
  const { admin, member, mark } = await scene()
  const page = await admin.visitor.open(`/admin/audit?account=${member.publicId}&from=2026-03-05&to=2026-03-05`)
  expect(page.text).toContain(`test.line-0 ${mark} Details test.line-0 ${mark} from 203.0.113.7 state: a → 120`)
  expect(page.text).toContain(`Who ${admin.email}`)
  expect(page.text).not.toContain('same:')
  expect(page.text).toContain('=1+120')
  const [older] = /href="(\/admin\/audit\?[^"]*cursor=[^"]*)"/.exec(page.html)?.slice(1) ?? []
  const next = await admin.visitor.open((older ?? '').replaceAll('&amp;', '&'))
  expect([next.status, next.text.includes('=1+70'), next.text.includes('=1+71 ')]).toEqual([200, true, false])
  for (const odd of [
    'from=2026-02-30&to=x',
    'cursor=1',
    'account=%00',
    `subject=${'x'.repeat(300)}`,
    'from=0001-01-01',
    'to=9999-12-31',
    'action=a&action=b',
  ]) {
    expect([odd, (await admin.visitor.open(`/admin/audit?${odd}`)).status]).toEqual([odd, 200])
  }
})

test("shows a webhook endpoint's URL as recorded in the entry, not its current URL", async () => {
  const { member, admin } = await scene()
  const subject = `whk_${member.id}`
  await fixture.sql(
    `INSERT INTO audit_entry (account_id, actor, action, subject, after, at) VALUES
       ($1, 'account', 'webhook.create', $2, '{"url": "https://a.example.test/bad"}', now()), ($1, 'account', 'webhook.update', $2, '{"url": "https://a.example.test/ok"}', now())`,
    [member.id, subject],
  )
  const text = (await admin.visitor.open(`/admin/audit?subject=${subject}`)).text
  expect(text).toContain('Added the webhook endpoint https://a.example.test/bad')
  expect(text).toContain('Changed the webhook endpoint https://a.example.test/ok')
})

test('exports complete entries as CSV and escapes spreadsheet formulas', async () => {
  const { admin, member, mark } = await scene()
  const answer = await admin.visitor.send(`/admin/audit/csv?account=${member.publicId}&subject=${mark}`)
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
    200,
    'text/csv; charset=utf-8; header=present',
    'attachment; filename="audit.csv"',
  ])
  const [head, ...lines] = (await answer.text()).trimEnd().split('\r\n')
  expect(head).toBe('at,actor,admin,address,action,subject,account,reason,before,after,memberEmail')
  expect(lines.length).toBe(120)
  expect(lines[0]).toBe(
    `2026-03-05T23:59:59.999Z,admin,${admin.publicId},203.0.113.7,test.line-0,${mark},${member.publicId},'=1+120,"{""same"":1,""state"":""a""}","{""same"":1,""state"":120}",`,
  )
  for (const visitor of [member.visitor, fixture.visitor()]) {
    const none = await visitor.send('/admin/audit/csv')
    expect([none.status, (await none.text()).includes('at,actor')]).toEqual([404, false])
  }
})

test('every filter uses an index and reads only one page of rows', async () => {
  await scene()
  const place = 'ORDER BY e.at DESC, e.id DESC LIMIT 51'
  for (const filter of ['account_id = 7', 'actor_account_id = 7', "action = 'x'", "subject = 'x'", "at >= '2026-01-01'"]) {
    const client = await fixture.pool.connect()
    try {
      await client.query('BEGIN')
      await client.query('SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off')
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN SELECT * FROM audit_entry e WHERE e.${filter} AND (e.at, e.id) < (now(), 9) ${place}`,
      )
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toMatch(/Index Scan Backward using audit_entry_\w*at_id_idx/)
      expect(plan).not.toMatch(/Sort/)
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
  }
})
