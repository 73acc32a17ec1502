import { expect, test } from 'vitest'
import { verdicts } from '#server/metering/batch.ts'
import { addKey, admit, buildRequest, type Payer } from '../metering/statement.ts'
import { runCli } from '../published/support/run-cli.ts'
import { BillingFixture } from './support/billing-fixture.ts'
import { getPortal } from './support/portal.ts'

const fixture = new BillingFixture()

const getVerdict = async (payer: Payer, price = 1) => (await admit(fixture.pool, [buildRequest(payer, { price })]))[0]?.verdict
const getPayer = async () => addKey(fixture.pool, await fixture.account({ credits: 100 }))

async function getChanges({ accountId }: Payer): Promise<unknown[]> {
  const { rows } = await fixture.pool.query("SELECT actor, before, after FROM audit_entry WHERE account_id = $1 AND action = 'cap.change' ORDER BY id", [
    accountId,
  ])
  return rows
}

test("applies and audits each change to the cap, and counts the month's earlier spend towards it", async () => {
  const payer = await getPayer()
  const { billing } = getPortal(fixture.deps(), payer.account)
  expect((await billing.overview()).spendCap).toMatchObject({ capCredits: null, spentCredits: 0 })
  expect(await getVerdict(payer, 8)).toBe(verdicts.granted)
  await billing.setCap({ capCredits: 10 })
  expect((await billing.overview()).spendCap).toEqual({ capCredits: 10, spentCredits: 8, renewsOn: expect.stringMatching(/^1 \w+ 20\d\d$/) })
  expect([await getVerdict(payer, 3), await getVerdict(payer, 2), await getVerdict(payer)]).toEqual([
    verdicts.accountCap,
    verdicts.granted,
    verdicts.accountCap,
  ])
  await billing.setCap({ capCredits: 11 })
  expect([await getVerdict(payer), await getVerdict(payer)]).toEqual([verdicts.granted, verdicts.accountCap])
  await billing.setCap({ capCredits: 0 })
  expect(await getVerdict(payer)).toBe(verdicts.accountCap)
  await billing.setCap({ capCredits: null })
  expect(await getVerdict(payer)).toBe(verdicts.granted)
  const [none, ten, eleven, zero] = [null, 10, 11, 0].map((capCredits) => ({ capCredits }))
  expect(await getChanges(payer)).toEqual([
    { actor: 'account', before: none, after: ten },
    { actor: 'account', before: ten, after: eleven },
    { actor: 'account', before: eleven, after: zero },
    { actor: 'account', before: zero, after: none },
  ])
})

test.each([[-1], [1.5], [100_000_001], [Number.MAX_SAFE_INTEGER + 2]])('rejects %d as a cap', async (capCredits) => {
  const payer = await getPayer()
  const { billing } = getPortal(fixture.deps(), payer.account)
  await billing.setCap({ capCredits: 5 })
  const fault = 'Cap must be a whole number of credits from 0 to 100,000,000, or empty.'
  await expect(billing.setCap({ capCredits })).rejects.toMatchObject({ cause: { faults: { capCredits: fault } } })
  expect((await billing.overview()).spendCap.capCredits).toBe(5)
})

test('shows a spend of zero if the counter belongs to another month', async () => {
  const payer = await getPayer()
  await getVerdict(payer, 8)
  await fixture.pool.query('UPDATE wallet SET month = month - 1, month_seen = month_seen - 1 WHERE account_id = $1', [payer.accountId])
  expect((await getPortal(fixture.deps(), payer.account).billing.overview()).spendCap.spentCredits).toBe(0)
})

test('sets a cap from the command line, together with other limits', async () => {
  const payer = await getPayer()
  const limits = (...given: string[]) => runCli(fixture.url, 'account', 'limits', '--account', payer.account.email, ...given, '--json')
  expect(JSON.parse(await limits('--spend-cap', '2'))).toEqual({ account: payer.account.email, spendCap: 2 })
  await expect(limits('--spend-cap=-1')).rejects.toThrow('Command failed')
  const { rows } = await fixture.pool.query('SELECT month_cap::int FROM wallet WHERE account_id = $1', [payer.accountId])
  expect(rows).toEqual([{ month_cap: 2 }])
  await limits('--per-day', '7', '--spend-cap', 'none')
  const { rows: after } = await fixture.pool.query('SELECT month_cap, day_limit FROM wallet WHERE account_id = $1', [payer.accountId])
  expect(after).toEqual([{ month_cap: null, day_limit: 7 }])
  expect(await getChanges(payer)).toMatchObject([{ actor: 'operator' }, { actor: 'operator' }])
})
