import { expect, test } from 'vitest'
import { adjustCredits } from '#server/billing/ledger.ts'
import { publicRequestId } from '#server/ids.ts'
import { addKey, admit, buildRequest, type Payer, settle } from '../metering/statement.ts'
import { verifies } from '../requirements/verifies.ts'
import { BillingFixture } from './support/billing-fixture.ts'
import { getPortal } from './support/portal.ts'
import { getEvent } from './support/stripe-objects.ts'

const fixture = new BillingFixture()
const month = new Date().toISOString().slice(0, 7)

type Line = { at: string; kind: string; credits: number; balanceCredits: number; request: string | null; reason: string; endpoint: string | null }

const portal = ({ account }: Payer) => getPortal(fixture.deps(), account).billing

async function getText(payer: Payer, format: 'csv' | 'json', of = month): Promise<string> {
  const pieces: string[] = []
  for await (const piece of await portal(payer).export({ month: of, format })) pieces.push(piece)
  return pieces.join('')
}

/** Creates an account whose statement has lines of most kinds, including `calls` calls, the first of which was reversed. */
async function spender(calls = 3): Promise<Payer> {
  const payer = await addKey(fixture.pool, await fixture.account({ credits: 20 }))
  const { charge } = await fixture.topUp(payer.account, 2_000)
  const requests = Array.from({ length: calls }, () => buildRequest(payer))
  await admit(fixture.pool, requests)
  await settle(
    fixture.pool,
    requests.slice(0, 1).map((request) => ({ ...request, isVoid: true })),
  )
  await fixture.send(getEvent('charge.refunded', fixture.stripe.refund(charge, 500)))
  await adjustCredits(fixture.pool, payer.accountId, 3, '=HYPERLINK("x"), "thanks"')
  return payer
}

/** Asserts that each balance equals the previous one plus the credits of the line. */
function expectChain(lines: readonly Line[], from = 0): void {
  let balance = from
  for (const line of lines) {
    balance += line.credits
    expect(line.balanceCredits, JSON.stringify(line)).toBe(balance)
  }
}

test('the ledger, the downloads and the statement have the same lines and totals', async () => {
  const payer = await spender(200)
  const balance = await fixture.balance(payer.account)
  const lines: Line[] = []
  for (let cursor: string | null = null, pages = 0; pages < 20; pages++) {
    const page: { lines: readonly Line[]; nextCursor: string | null } = await portal(payer).ledger({ cursor, request: null, limit: 23 })
    lines.push(...page.lines)
    cursor = page.nextCursor
    if (cursor === null) break
  }
  expect(lines).toHaveLength(205)
  expect(lines[0]?.balanceCredits).toBe(balance)
  expectChain(lines.toReversed())
  const json = JSON.parse(await getText(payer, 'json')) as Line[]
  expect(json).toEqual(lines.toReversed())
  const csv = (await getText(payer, 'csv')).split('\r\n')
  expect(csv[0]).toBe('at,kind,credits,balanceCredits,actor,reason,request,topUp,delivery,endpoint,key')
  expect(csv).toHaveLength(1 + json.length + 1)
  expect(csv[3]).toMatch(/^[^,]+,charge,-1,219,key,,req_[0-9a-f]{32},,,GET \/[^,]+,key_\w+$/)
  const statement = await portal(payer).statement({ month })
  expect(statement).toMatchObject({ month, isComplete: false, openingCredits: 0, closingCredits: balance })
  const totals = Object.fromEntries(statement.totals.map(({ kind, credits }) => [kind, credits]))
  expect(totals).toEqual({ adjustment: 23, top_up: 200, charge: -200, reversal: 1, refund: -50 })
  expect(statement.payments).toMatchObject([{ credits: 200, grossPence: 2_000, isAutomatic: false }])
  expect(await portal(payer).statementMonths()).toEqual([month])
})

test('escapes spreadsheet formulas and keeps numbers as numbers', async () => {
  const csv = await getText(await spender(), 'csv')
  expect(csv).toContain(`,operator,"'=HYPERLINK(""x""), ""thanks""",`)
  expect(csv).toMatch(/,refund,-50,/)
})

test('a ledger page can start at a charged request, and the next pages continue without gaps', async () => {
  const payer = await spender(30)
  const all = JSON.parse(await getText(payer, 'json')) as Line[]
  const charged = all.filter(({ kind }) => kind === 'charge')
  for (const { request } of [charged[0], charged[15], charged.at(-1)].flatMap((line) => line ?? [])) {
    const page = await portal(payer).ledger({ cursor: null, request, limit: 10 })
    const at = all.findIndex((line) => line.kind === 'charge' && line.request === request)
    expect(page.lines).toEqual(all.slice(Math.max(0, at - 9), at + 1).toReversed())
  }
  // If the request is unknown or belongs to another account, the page starts at the newest line.
  const visitor = await spender()
  const theirs = await portal(visitor).ledger({ cursor: null, request: charged[15]?.request ?? null, limit: 10 })
  expect(theirs).toEqual(await portal(visitor).ledger({ cursor: null, request: publicRequestId('0'.repeat(32)), limit: 10 }))
  expect(theirs.lines[0]?.balanceCredits).toBe(await fixture.balance(visitor.account))
})

test('treats a modified cursor as another position or rejects it', async () => {
  const payer = await spender()
  const cursor = (await portal(payer).ledger({ cursor: null, request: null, limit: 1 })).nextCursor ?? ''
  const [at = '', rank = '', id = ''] = cursor.split('_')
  expect(cursor).toMatch(/^\d{16}_-?\d+_/)
  const nines = '9'.repeat(18)
  for (const changed of [`${at.slice(1)}_${rank}_${id}`, `${nines}_${rank}_${id}`, `${at}_-${nines}_`, `${nines}_${nines}_${'f'.repeat(36)}`, '0_0_']) {
    expect((await portal(payer).ledger({ cursor: changed, request: null, limit: 1 })).lines.length, changed).toBeLessThanOrEqual(1)
  }
  for (const none of ['99999999999999999999_1_', `${at}_99999999999999999999_${id}`, `9${nines}_1_`, `${cursor}x`, `${at}_${rank}`]) {
    await expect(portal(payer).ledger({ cursor: none, request: null, limit: 1 }), none).rejects.toThrow(
      "This isn't a ledger cursor. Start again without a cursor.",
    )
  }
})

test('a statement covers only its month, and opens with the closing balance of the month before', async () => {
  const payer = await spender()
  const balance = await fixture.balance(payer.account)
  // Entries cannot be changed, so history is created with a backdated entry.
  await fixture.pool.query(
    `INSERT INTO ledger_entry (account_id, kind, credits, balance_after, actor, reason, at)
     VALUES ($1, 'adjustment', 7, 7, 'operator', 'Long ago.', date_trunc('month', now()) - interval '40 days')`,
    [payer.accountId],
  )
  await fixture.pool.query('UPDATE wallet SET balance = balance + 7 WHERE account_id = $1', [payer.accountId])
  const months = await portal(payer).statementMonths()
  expect(months).toHaveLength(3)
  const [oldest, between] = [months.at(-1) ?? '', months.at(-2) ?? '']
  expect(await portal(payer).statement({ month: oldest })).toMatchObject({ openingCredits: 0, closingCredits: 7, isComplete: true, totals: [{ credits: 7 }] })
  expect(await portal(payer).statement({ month: between })).toMatchObject({ openingCredits: 7, closingCredits: 7, isComplete: true, totals: [] })
  expect(await portal(payer).statement({ month })).toMatchObject({ openingCredits: 7, closingCredits: balance + 7 })
  expect(JSON.parse(await getText(payer, 'json', oldest))).toMatchObject([{ credits: 7, reason: 'Long ago.' }])
  expect(await getText(payer, 'json', between)).toBe('[\n\n]\n')
})

test.each(['2026-13', '2026-1', 'x', '2999-01'])('rejects %s as a month', async (name) => {
  const payer = await addKey(fixture.pool, await fixture.account())
  await expect(portal(payer).export({ month: name, format: 'csv' })).rejects.toThrow(
    /^(?:A month must be in the form 2026-11|The month must not be in the future)\.$/,
  )
  await expect(portal(payer).statement({ month: name })).rejects.toThrow(/month/)
})

verifies('billing/no-expiry', async () => {
  const payer = await addKey(fixture.pool, await fixture.account())
  await fixture.topUp(payer.account, 500)
  const { rows } = await fixture.pool.query(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_name IN ('wallet', 'ledger_entry') AND column_name ~ 'expir|until|valid'`,
  )
  // No column stores an expiry, and credits bought years ago are spent like those bought today.
  expect(rows).toEqual([])
  await fixture.pool.query("UPDATE top_up SET created_at = created_at - interval '9 years', paid_at = paid_at - interval '9 years' WHERE account_id = $1", [
    payer.accountId,
  ])
  const [outcome] = await admit(fixture.pool, [buildRequest(payer, { price: 50 })])
  expect(outcome).toMatchObject({ credits: 50, balance: 0 })
})

test('streams the statement of a busy month in chunks', async () => {
  const payer = await addKey(fixture.pool, await fixture.account({ credits: 5_000 }))
  await fixture.pool.query('UPDATE wallet SET minute_limit = 10000, day_limit = 10000 WHERE account_id = $1', [payer.accountId])
  for (let batch = 0; batch < 9; batch++) {
    await admit(
      fixture.pool,
      Array.from({ length: 250 }, () => buildRequest(payer)),
    )
  }
  const sizes: number[] = []
  for await (const piece of await portal(payer).export({ month, format: 'json' })) sizes.push(piece.split('\n').length)
  expect(sizes.length).toBe(3)
  expect(Math.max(...sizes)).toBeLessThan(1_005)
  expectChain(JSON.parse(await getText(payer, 'json')) as Line[])
})
