import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Overlap, rotateKey } from '#server/keys/manage-own-keys.ts'
import { Admission } from '#server/metering/admission.ts'
import { verdicts } from '#server/metering/batch.ts'
import { createLog } from '#server/observability/log.ts'
import { admit, buildRequest, makePayer, meteringDatabase, type Payer, readCounters, serviceVersion, settle } from './statement.ts'

const db = meteringDatabase()
/** Two gateways that share one database, as if they were in two processes. */
let gateways: Admission[] = []
let version = 0

beforeAll(async () => {
  gateways = [new Admission(db.url, createLog('silent')), new Admission(db.url, createLog('silent'))]
  await Promise.all(gateways.map((gateway) => gateway.open()))
  version = await serviceVersion(db.pool)
})
afterAll(() => Promise.all(gateways.map((gateway) => gateway.close())))

/** Rotates the key as its owner would. */
async function rotate(old: Payer, overlap: Overlap): Promise<Payer> {
  const made = await rotateKey(db.pool, { accountId: old.accountId, isConfirmed: true, address: null }, old.publicKeyId, overlap)
  const { rows } = await db.pool.query<{ id: string }>('SELECT id FROM api_key WHERE public_id = $1', [made.id])
  return { ...old, publicKeyId: made.id, key: made.key, keyId: Number(rows[0]?.id) }
}

/** Returns a function that builds requests with the key version and cap that a gateway would have read. */
async function paid(payer: Payer) {
  const { rows } = await db.pool.query<{ version: number; cap: number | null }>('SELECT version, cap_id::int AS cap FROM key_meter WHERE key_id = $1', [
    payer.keyId,
  ])
  const facts = { serviceVersion: version, keyVersion: rows[0]?.version ?? 0, capId: rows[0]?.cap ?? null }
  return () => buildRequest(payer, facts)
}

/** Sends `calls` concurrent calls with each key through both gateways. Returns the credits spent. */
async function spendTogether(payers: readonly Payer[], calls: number): Promise<number> {
  const makers = await Promise.all(payers.map(paid))
  const requests = Array.from({ length: calls }, () => makers.map((make) => make())).flat()
  const outcomes = await Promise.all(requests.map((request, place) => gateways[place % 3 === 0 ? 1 : 0]?.admit(request)))
  for (const outcome of outcomes) expect([verdicts.granted, verdicts.spendCap]).toContain(outcome?.verdict)
  return outcomes.reduce((sum, outcome) => sum + (outcome?.credits ?? 0), 0)
}

const readSpent = async (payer: Payer) => (await readCounters(db.pool, payer)).monthSpent

test.each([1, 6, 24] as const)('shares exactly one cap between both keys during an overlap of %i h', async (overlap) => {
  const old = await makePayer(db.pool, { credits: 1_000, spendCap: 50 })
  expect(await spendTogether([old], 7)).toBe(7)
  const fresh = await rotate(old, overlap)
  expect(await readSpent(fresh)).toBe(7)
  expect(await spendTogether([old, fresh], 100)).toBe(43)
  expect([await readSpent(old), await readSpent(fresh)]).toEqual([50, 50])
  expect(await readCounters(db.pool, old)).toMatchObject({ balance: 950 })
})

test('lets either key spend the rest of the cap', async () => {
  const old = await makePayer(db.pool, { credits: 100, spendCap: 10 })
  const fresh = await rotate(old, 24)
  expect(await spendTogether([old], 6)).toBe(6)
  expect(await spendTogether([fresh], 6)).toBe(4)
  expect(await spendTogether([old], 1)).toBe(0)
})

test('all valid keys share one cap after repeated rotations with overlap', async () => {
  const first = await makePayer(db.pool, { credits: 1_000, spendCap: 40 })
  const second = await rotate(first, 24)
  expect(await spendTogether([first, second], 5)).toBe(10)
  const third = await rotate(second, 24)
  // A rotation without an overlap replaces only the rotated (third) key. The first and second stay valid until their overlaps end.
  const fourth = await rotate(third, 0)
  expect(await spendTogether([first, second, fourth], 50)).toBe(30)
  expect(await Promise.all([first, second, fourth].map(readSpent))).toEqual([40, 40, 40])
})

test('a rotation without an overlap passes the remaining cap to the new key', async () => {
  const old = await makePayer(db.pool, { credits: 100, spendCap: 10 })
  await spendTogether([old], 4)
  const fresh = await rotate(old, 0)
  expect(await spendTogether([fresh], 20)).toBe(6)
  expect(await readSpent(old)).toBe(4)
})

test('stops sharing the cap with a key whose overlap has ended', async () => {
  const first = await makePayer(db.pool, { credits: 100, spendCap: 10 })
  const second = await rotate(first, 1)
  await db.pool.query('UPDATE key_meter SET ends_at = now(), version = version + 1 WHERE key_id = $1', [first.keyId])
  const third = await rotate(second, 6)
  expect(await spendTogether([second, third], 20)).toBe(10)
  expect(await readSpent(first)).toBe(0)
})

test('deducts a reversed charge from the shared spend of all keys', async () => {
  const old = await makePayer(db.pool, { credits: 100, spendCap: 10 })
  const fresh = await rotate(old, 24)
  const request = { ...(await paid(old))(), units: 6 }
  expect(await admit(db.pool, [request])).toMatchObject([{ credits: 6 }])
  await settle(db.pool, [{ ...request, isVoid: true }])
  expect([await readSpent(old), await readSpent(fresh)]).toEqual([0, 0])
})

test('rotated keys still share one cap in a new month', async () => {
  const old = await makePayer(db.pool, { credits: 100, spendCap: 10 })
  const fresh = await rotate(old, 24)
  expect(await spendTogether([old, fresh], 10)).toBe(10)
  await db.pool.query('UPDATE key_meter SET month = month - 1, month_seen = month_seen - 1 WHERE key_id = ANY ($1)', [[old.keyId, fresh.keyId]])
  expect(await spendTogether([old, fresh], 10)).toBe(10)
  expect([await readSpent(old), await readSpent(fresh)]).toEqual([10, 10])
})

test('counts spend separately for rotated keys without a cap', async () => {
  const old = await makePayer(db.pool, { credits: 100 })
  const fresh = await rotate(old, 24)
  expect(await spendTogether([old, fresh], 10)).toBe(20)
  expect([await readSpent(old), await readSpent(fresh)]).toEqual([10, 10])
})
