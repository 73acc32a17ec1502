/** Tests that every change by an operator applies to the next request on every process. The tests neither wait nor retry. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approveAccount, blockAccount, changeLimits, changePlan, unblockAccount } from '#server/accounts/accounts.ts'
import { adjustCredits } from '#server/billing/ledger.ts'
import { revokeKey } from '#server/keys/keys.ts'
import { importFeed } from '#server/market/import/import-feed.ts'
import { accountActions } from '../admin/support/account-actions.ts'
import { Fleet } from '../chaos/fleet.ts'
import { runCli } from '../published/support/run-cli.ts'
import { verifies } from '../requirements/verifies.ts'
import { type ApiAnswer, call, makeAccount, makeKey, type TestAccount } from '../support/accounts.ts'
import { availabilityChanger } from './change-availability.ts'
import { namedProduct, sourceKey } from './named-product.ts'
import { meteringDatabase } from './statement.ts'

const db = meteringDatabase()
const mounts = ['lean', 'lean', 'lean', 'next'] as const
const size = mounts.length
const rounds = 25
let fleet: Fleet

beforeAll(async () => {
  fleet = await Fleet.start(db.url, mounts)
})
afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]()
})

const everywhere = (path: string, key: string, headers: Record<string, string> = {}): Promise<ApiAnswer[]> =>
  Promise.all(fleet.origins.map((origin) => call(`${origin}/v1`, path, key, { headers })))

const getStatuses = async (path: string, key: string) => (await everywhere(path, key)).map(({ status }) => status)
const getErrors = async (path: string, key: string) => (await everywhere(path, key)).map(({ body }) => body.error)
const all = <Value>(value: Value): Value[] => Array.from({ length: size }, () => value)

async function customer(credits = 100_000): Promise<{ account: TestAccount; key: string; keyId: string }> {
  const account = await makeAccount(db.pool, { credits })
  await changeLimits(db.pool, account.email, { perMinute: 100_000, perDay: 100_000 })
  const { id, key } = await makeKey(db.pool, account)
  return { account, key, keyId: id }
}

/** Calls all processes with these keys while `work` runs, so that the requests of `work` share batches with others. */
async function amidTraffic(keys: readonly string[], work: () => Promise<void>): Promise<void> {
  let isOver = false
  const traffic = keys.flatMap((key) =>
    fleet.origins.map(async (origin) => {
      while (!isOver) await call(`${origin}/v1`, '/rates?limit=1', key)
    }),
  )
  try {
    await work()
  } finally {
    isOver = true
    await Promise.all(traffic)
  }
}

test('applies the revocation of a key', async () => {
  const { account } = await customer()
  for (let round = 0; round < rounds; round++) {
    const { id, key } = await makeKey(db.pool, account)
    expect(await getStatuses('/rates?limit=1', key)).toEqual(all(200))
    await revokeKey(db.pool, id)
    expect(await getErrors('/rates?limit=1', key)).toEqual(all('key_revoked'))
  }
}, 60_000)

test('applies blocking and unblocking to all keys of an account, under heavy traffic', async () => {
  const { account, key } = await customer()
  const keys = [key, (await makeKey(db.pool, account)).key, (await makeKey(db.pool, account)).key]
  const each = async (path: string) => (await Promise.all(keys.map((one) => getStatuses(path, one)))).flat()
  await amidTraffic(keys, async () => {
    for (let round = 0; round < rounds; round++) {
      await blockAccount(db.pool, account.email, `Round ${round}.`)
      expect(new Set(await each('/rates?limit=2'))).toEqual(new Set([403]))
      const [answer] = await everywhere('/me', key)
      expect(answer?.body).toMatchObject({ error: 'account_blocked', reason: `Round ${round}.` })
      await unblockAccount(db.pool, account.email)
      expect(new Set(await each('/rates?limit=2'))).toEqual(new Set([200]))
    }
  })
}, 60_000)

verifies(
  'account/live-access-after-review',
  'grants live access after review on the next request of every process',
  async () => {
    for (let round = 0; round < 5; round++) {
      const account = await makeAccount(db.pool, { approved: false })
      const { key } = await makeKey(db.pool, account)
      expect((await everywhere('/rates?limit=1', key)).map(({ body }) => [body.error, body.reason])).toEqual(all(['account_blocked', 'review_pending']))
      await approveAccount(db.pool, account.email)
      expect(await getStatuses('/rates?limit=1', key)).toEqual(all(200))
    }
  },
  60_000,
)

test('applies granted credits, and spends them down to the last one', async () => {
  const { account, key } = await customer(0)
  for (let round = 0; round < rounds; round++) {
    expect(await getStatuses('/rates?limit=1', key)).toEqual(all(402))
    await adjustCredits(db.pool, account.id, size + 3, 'A test.')
    const bought = await everywhere('/rates?limit=1', key)
    expect(bought.map(({ status }) => status)).toEqual(all(200))
    expect(bought.map(({ body }) => body.meta.creditsBalance).toSorted()).toEqual([3, 4, 5, 6])
    // The remaining credits pay for one more response, truncated to the rows that they cover. Any of the processes may return it.
    const last = await everywhere('/rates?limit=3', key)
    expect(last.map(({ status }) => status).toSorted()).toEqual([200, 402, 402, 402])
  }
}, 60_000)

test('applies a changed plan to limits, fields and the /me response', async () => {
  const { account, key } = await customer()
  await changeLimits(db.pool, account.email, { perMinute: null, perDay: null })
  for (let round = 0; round < 8; round++) {
    for (const [plan, perMinute, hasLogo] of [
      ['business', '300', false],
      ['enterprise', '600', true],
    ] as const) {
      await changePlan(db.pool, account.email, plan)
      const lists = await everywhere('/rates?limit=1', key)
      expect(lists.map(({ headers }) => headers.get('x-ratelimit-limit'))).toEqual(all(perMinute))
      expect(lists.map(({ body }) => 'providerLogoUrl' in body.data[0])).toEqual(all(hasLogo))
      expect((await everywhere('/me', key)).map(({ body }) => body.data.account.plan)).toEqual(all(plan))
    }
  }
}, 60_000)

test('applies changed limits per minute and per day', async () => {
  const { account, key } = await customer()
  await everywhere('/ping', key)
  for (let round = 0; round < rounds; round++) {
    await changeLimits(db.pool, account.email, { perMinute: 50_000 + round, perDay: 60_000 + round })
    const headers = (await everywhere('/ping', key)).map((answer) => answer.headers)
    expect(headers.map((one) => one.get('x-ratelimit-limit'))).toEqual(all(String(50_000 + round)))
    expect(headers.map((one) => one.get('ratelimit-policy'))).toEqual(all(`"minute";q=${50_000 + round};w=60, "day";q=${60_000 + round};w=86400`))
  }
  await changeLimits(db.pool, account.email, { perDay: 1 })
  expect(await getErrors('/ping', key)).toEqual(all('rate_limited'))
}, 60_000)

test('applies changes made by administrators', async () => {
  const { account, key, keyId } = await customer()
  const waiting = await makeAccount(db.pool, { approved: false })
  const keys = { open: key, waiting: (await makeKey(db.pool, waiting)).key }
  for (const { does, by, path, seen, shows } of accountActions(db.pool, await makeAccount(db.pool), { account, keyId }, waiting)) {
    await does()
    expect((await everywhere(path, keys[by])).map(seen)).toEqual(all(shows))
  }
}, 60_000)

const bumped = 'UPDATE service_state SET version = version + 1'

verifies(
  ['decision/availability-override', 'versioning/availability-can-change'],
  'applies an availability override on the next request of every process, and in /me',
  async () => {
    const [{ key }, set] = [await customer(), await availabilityChanger(db.pool)]
    const inMe = async (path: string) =>
      new Set((await everywhere('/me', key)).map(({ body }) => body.data.endpoints.find((row: { path: string }) => row.path === path)?.callable))
    for (let round = 0; round < 10; round++) {
      expect(await getStatuses('/reference/currencies', key)).toEqual(all(200))
      await set('reference.currencies', 'open', 'test-only')
      expect(await getErrors('/reference/currencies', key)).toEqual(all('endpoint_restricted'))
      await set('reference.currencies', 'test-only', 'coming-soon')
      expect(await getErrors('/reference/currencies', key)).toEqual(all('not_found'))
      await set('reference.currencies', 'coming-soon', 'open')
    }
    expect(await inMe('/market/overview')).toEqual(new Set([false]))
    await set('market.overview', 'test-only', 'open')
    expect(await inMe('/market/overview')).toEqual(new Set([true]))
    expect(await getStatuses('/market/overview', key)).toEqual(all(200))
    await set('market.overview', 'open', 'test-only')
    expect(await getErrors('/market/overview', key)).toEqual(all('endpoint_restricted'))
  },
  60_000,
)

test.each([
  ['without a readiness check in between', false],
  ['even after a readiness check has seen it', true],
])(
  'applies a new licence and its withdrawal, %s',
  async (_, isSeen) => {
    const { key } = await customer()
    const lookAround = () => (isSeen ? Promise.all(fleet.origins.map((origin) => fetch(`${origin}/readyz`))) : [])
    const publish = () => db.pool.query(`WITH l AS (INSERT INTO licence_version VALUES ('v2099-01', now(), now())) ${bumped}`)
    const withdraw = () => db.pool.query(`WITH l AS (DELETE FROM licence_version WHERE label = 'v2099-01') ${bumped}`)
    for (let round = 0; round < 5; round++) {
      expect(await getStatuses('/rates?limit=1', key)).toEqual(all(200))
      await publish()
      await lookAround()
      const errors = await getErrors('/rates?limit=1', key)
      await withdraw()
      await lookAround()
      expect(errors).toEqual(all('licence_reacceptance_required'))
    }
  },
  60_000,
)

test('applies a market import', async () => {
  const { key } = await customer()
  for (let round = 0; round < 6; round++) {
    await importFeed(db.pool, { source: await namedProduct(db.pool, `Name of round ${round}`), fileName: 'product.ndjson', dataset: 'live', partial: true })
    // On a busy machine a process may need more than two seconds to load the market. It then returns an error, but never old data.
    let answers = await everywhere(`/rates/${sourceKey}`, key)
    for (let retry = 0; retry < 5 && answers.some(({ status }) => status >= 500); retry++) answers = await everywhere(`/rates/${sourceKey}`, key)
    expect(answers.map(({ body }) => body.data?.accountName)).toEqual(all(`Name of round ${round}`))
  }
}, 120_000)

/** Runs the operator CLI in a separate process, alongside the service. */
const svc = async (...args: string[]): Promise<unknown> => JSON.parse(await runCli(db.url, '--json', ...args))

test('applies changes made from the command line', async () => {
  const { account, key, keyId } = await customer(0)
  const of = ['--account', account.email]
  expect(await getStatuses('/rates?limit=1', key)).toEqual(all(402))
  expect(await svc('credits', 'grant', ...of, '--credits', '1000', '--reason', 'A test.')).toMatchObject({ balanceCredits: 1_000 })
  expect(await getStatuses('/rates?limit=1', key)).toEqual(all(200))
  await svc('account', 'block', ...of, '--reason', 'Because.')
  expect(await getErrors('/rates?limit=1', key)).toEqual(all('account_blocked'))
  await svc('account', 'unblock', ...of)
  expect(await getStatuses('/rates?limit=1', key)).toEqual(all(200))
  await svc('account', 'limits', ...of, '--per-minute', '77')
  expect((await everywhere('/ping', key)).map(({ headers }) => headers.get('x-ratelimit-limit'))).toEqual(all('77'))
  await svc('account', 'plan', ...of, '--plan', 'business')
  expect((await everywhere('/me', key)).map(({ body }) => body.data.account.plan)).toEqual(all('business'))
  const folder = await mkdtemp(join(tmpdir(), 'svc-feed-'))
  try {
    await writeFile(join(folder, 'product.ndjson'), await namedProduct(db.pool, 'Name from the command line'))
    await svc('market', 'import', join(folder, 'product.ndjson'), '--partial')
  } finally {
    await rm(folder, { recursive: true })
  }
  expect((await everywhere(`/rates/${sourceKey}`, key)).map(({ body }) => body.data?.accountName)).toEqual(all('Name from the command line'))
  expect(await svc('key', 'revoke', '--id', keyId)).toMatchObject({ revoked: true })
  expect(await getErrors('/ping', key)).toEqual(all('key_revoked'))
}, 60_000)
