/** Tests that the admin area answers support's questions: data freshness, top callers, callers' errors, payment states and administrators' actions. */
import { expect, test } from 'vitest'
import { unknownCharge } from '#server/api/contract/billing-notices.ts'
import type { Member } from '../portal/support/portal-fixture.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { getData } from '../portal/support/visitor.ts'

const fixture = portalFixture()

const ask = async ({ visitor }: Member, name: string, input?: object) => getData(await visitor.call(`admin.${name}`, 'query', input))

test('the admin pages list the public statistics that the status page reports as outdated', async () => {
  const admin = await fixture.administrator()
  const { figures } = await ask(admin, 'imports.morning')
  const stale = figures.filter(({ isStale }: { isStale: boolean }) => isStale)
  expect((await ask(admin, 'boards.quality')).figures).toEqual(stale)
  expect((await ask(admin, 'now.list')).figures.count).toBe(stale.length)
  const status = await admin.visitor.open('/status')
  expect(figures.length).toBe(4)
  expect(stale.length).toBeGreaterThan(0)
  expect(status.text.match(/Out of date/g)?.length ?? 0).toBe(stale.length)
  expect((await admin.visitor.open('/admin/imports')).text.match(/Out of date/g)?.length ?? 0).toBe(stale.length)
  const quality = await admin.visitor.open('/admin/quality')
  expect(quality.text).toContain(`Outdated public statistics (${stale.length})`)
  const now = await admin.visitor.open('/admin')
  for (const page of ['/admin', '/admin/imports'])
    expect((await admin.visitor.open(page)).text).toMatch(/Demonstration market, generated on \d{1,2} \w+ \d{4}; its rates are never out of date\./)
  expect(now.text).toContain(`${stale.length} outdated public statistic${stale.length === 1 ? '' : 's'}`)
})

test("the service page lists today's top callers and top errors", async () => {
  const [admin, busy, quiet] = [await fixture.administrator(), await fixture.member(), await fixture.member()]
  await fixture.sql(
    `INSERT INTO usage_day (account_id, day, key_id, endpoint, status, requests, credits)
     SELECT v.account_id, (now() AT TIME ZONE 'UTC')::date - v.ago, 1, 1, v.status, v.requests, v.credits
     FROM (VALUES ($1::int, 0, 200, 90000, 500), ($1, 0, 402, 7000, 0), ($2, 0, 402, 30, 0), ($2, 1, 402, 500000, 0)) v (account_id, ago, status, requests, credits)`,
    [busy.id, quiet.id],
  )
  const { callers, errors } = (await ask(admin, 'boards.service')).today
  expect(callers[0]).toEqual({ account: busy.publicId, email: busy.email, calls: 97_000, credits: 500, rejected: 7_000, failed: 0, topStatus: 402 })
  expect(callers).toContainEqual(expect.objectContaining({ account: quiet.publicId, calls: 30, rejected: 30 }))
  expect(errors[0]).toMatchObject({ status: 402, calls: 7_030, accounts: 2, endpoint: expect.stringMatching(/^GET \//) })
  const page = await admin.visitor.open('/admin/service')
  expect(page.html).toContain(`/admin/accounts/${busy.publicId}`)
  expect(page.text).toContain('402 insufficient_credits')
  expect(page.text).toMatch(/Calls 97,000 Credits 500 Error rate 7\.2% \(7,000\) Top error 402 insufficient_credits/)
  expect(page.text).not.toMatch(/\baccount 0 0 MB/)
})

test('the account page lists payments in every state, with an explanation for support staff', async () => {
  const [admin, member] = [await fixture.administrator(), await fixture.member()]
  await fixture.sql(
    `INSERT INTO top_up (public_id, account_id, purchase_key, origin, mode, amount_pence, credits, state, failure, checkout_session_id, payment_intent_id, paid_at, entered_credits)
     SELECT 'top_' || $1 || n, $1::int, 'purchase-' || n, CASE n WHEN 3 THEN 'auto' ELSE 'checkout' END::top_up_origin, 'test', 1000 * n, 100 * n,
       (ARRAY['open', 'expired', 'failed', 'paid'])[n]::top_up_state, CASE n WHEN 3 THEN 'The card was declined.' END, 'cs_test_' || $1 || n,
       CASE n WHEN 4 THEN 'pi_' || $1 END, CASE n WHEN 4 THEN now() END, CASE n WHEN 4 THEN 400 ELSE 0 END
     FROM generate_series(1, 4) n`,
    [member.id],
  )
  const payments = await ask(admin, 'accounts.payments', { account: member.publicId, limit: 3 })
  expect(payments.map(({ state, reference }: Record<string, string>) => [state, reference])).toEqual([
    ['failed', `cs_test_${member.id}3`],
    ['paid', `pi_${member.id}`],
    ['expired', `cs_test_${member.id}2`],
  ])
  const { text } = await admin.visitor.open(`/admin/accounts/${member.publicId}`)
  for (const shown of [
    'Started but not paid. The checkout is still open.',
    'Started but not paid. The checkout has expired.',
    'Failed: The card was declined. No money was taken.',
    'Paid, and the credits were added.',
    '£40 ',
    `pi_${member.id}`,
  ])
    expect(text).toContain(shown)
  const other = await fixture.member()
  expect((await admin.visitor.open(`/admin/accounts/${other.publicId}`)).text).toContain('No payments or payment attempts.')
})

test("the account page doesn't claim that no money was taken if the outcome of a charge is unknown", async () => {
  const [admin, member] = [await fixture.administrator(), await fixture.member()]
  await fixture.sql(
    `INSERT INTO top_up (public_id, account_id, purchase_key, origin, mode, amount_pence, credits, state, failure)
     VALUES ('top_' || $1 || 'u', $1::int, 'unknown', 'auto', 'test', 1000, 100, 'failed', $2)`,
    [member.id, unknownCharge],
  )
  const { text } = await admin.visitor.open(`/admin/accounts/${member.publicId}`)
  expect(text).toContain(`Failed: ${unknownCharge}`)
  expect(text).not.toContain('No money was taken.')
})

test('filters find people by id, email, email prefix or part of a name, and can find administrators only', async () => {
  const [admin, member] = [await fixture.administrator(), await fixture.member()]
  const people = async (search: string, isAdmin = false) =>
    (await ask(admin, 'accounts.people', { search, isAdmin })).map(({ id }: { id: string }) => id) as string[]
  const mark = `grace${member.id}`
  await fixture.sql(`UPDATE account SET email = $2 || '@example.test', name = 'Grace ' || $2 || ' Hopper' WHERE id = $1`, [member.id, mark])
  for (const search of [member.publicId, `${mark}@example.test`, mark, mark.toUpperCase(), `${mark} hop`])
    expect([search, await people(search)]).toEqual([search, [member.publicId]])
  expect(await people(mark, true)).toEqual([])
  expect(await people(admin.email, true)).toEqual([admin.publicId])
  // Four characters may be the end of a key, but must also find an email that starts with them.
  await fixture.sql(`UPDATE account SET email = 'zqxw@example.test' WHERE id = $1`, [member.id])
  expect(await people('zqxw')).toEqual([member.publicId])
  const namesake = await fixture.member()
  await fixture.sql(`UPDATE account SET email = 'zqxw-2@example.test' WHERE id = $1`, [namesake.id])
  expect(await people('zqxw')).toEqual([member.publicId, namesake.publicId])
  expect(await people('zqxw@example.test')).toEqual([member.publicId])
  expect([await people('%'), await people('  ')]).toEqual([[], []])
})
