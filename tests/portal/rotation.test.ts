import { expect, test } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { addTestKeys, callsAt, createKey, keyOn, listKeys } from './support/key-calls.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { getData } from './support/visitor.ts'

const fixture = portalFixture()

const { rates, getStatus, errorFor } = callsAt(fixture)

verifies(['keys/rotation-in-one-step', 'keys/rotation-shows-new-key-once', 'portal/rotation-immediate-by-default'], async () => {
  const { visitor } = await fixture.member()
  const old = getData(await createKey(visitor, { name: 'Feed', scopes: ['rates:read', 'cards:read'], cap: '50', addresses: '127.0.0.0/8' }))
  const page = await visitor.submitForm(await visitor.open(`/portal/keys/${old.id}`), 'Rotate key')
  const key = keyOn(page)
  expect(key).not.toBe(old.key)
  expect([await getStatus(old.key), await errorFor(old.key)]).toEqual([403, 'key_revoked'])
  expect(await getStatus(key)).toBe(200)
  const keys = await listKeys(visitor)
  expect(keys).toHaveLength(2)
  expect(keys[0]).toMatchObject({ state: 'active', name: 'Feed', scopes: ['rates:read', 'cards:read'], capCredits: 50, addresses: ['127.0.0.0/8'] })
  expect(keys[1]).toMatchObject({ id: old.id, state: 'revoked', replacedBy: keys[0].id })
  expect((await visitor.open(`/portal/keys/${keys[0].id}`)).html).not.toContain(key)
})

verifies('portal/rotation-overlap', async () => {
  const { visitor } = await fixture.member()
  const old = getData(await createKey(visitor))
  const page = await visitor.submitForm(await visitor.open(`/portal/keys/${old.id}`), 'Rotate key', { overlapHours: '24' })
  expect([await getStatus(old.key), await getStatus(keyOn(page))]).toEqual([200, 200])
  const [, ending] = await listKeys(visitor)
  expect(ending).toMatchObject({ id: old.id, state: 'ending' })
  const hours = (new Date(ending.endsAt).getTime() - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(23.9)
  expect(hours).toBeLessThanOrEqual(24)
  for (const overlapHours of [2, 25, 1_000, -1]) expect((await visitor.call('keys.rotate', 'mutation', { id: old.id, overlapHours })).status).toBe(400)
  // Simulates the end of the overlap.
  await fixture.sql('UPDATE api_key SET revoked_at = now() WHERE public_id = $1', [old.id])
  await fixture.sql('UPDATE key_meter m SET ends_at = now(), version = version + 1 FROM api_key k WHERE k.id = m.key_id AND k.public_id = $1', [old.id])
  expect([await getStatus(old.key), await getStatus(keyOn(page))]).toEqual([403, 200])
})

test('only one of ten concurrent rotations succeeds', async () => {
  const { visitor } = await fixture.member()
  const old = getData(await createKey(visitor))
  const answers = await Promise.all(Array.from({ length: 10 }, () => visitor.call('keys.rotate', 'mutation', { id: old.id, overlapHours: 0 })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await listKeys(visitor)).toHaveLength(2)
})

test("a rotation doesn't reset the cap", async () => {
  const { visitor } = await fixture.member()
  const old = getData(await createKey(visitor, { cap: '3' }))
  for (let calls = 0; calls < 3; calls++) expect(await getStatus(old.key)).toBe(200)
  const made = getData(await visitor.call('keys.rotate', 'mutation', { id: old.id, overlapHours: 0 }))
  const answer = await rates(made.key)
  expect([answer.status, ((await answer.json()) as { reason: string }).reason]).toEqual([402, 'spend_cap'])
})

test.each([1, 6, 24])('both keys share one cap during an overlap of %i h, and show the same spend', async (overlapHours) => {
  const { visitor } = await fixture.member()
  const old = getData(await createKey(visitor, { cap: '3' }))
  expect(await getStatus(old.key)).toBe(200)
  const made = getData(await visitor.call('keys.rotate', 'mutation', { id: old.id, overlapHours }))
  expect([await getStatus(made.key), await getStatus(old.key)]).toEqual([200, 200])
  for (const key of [old.key, made.key]) {
    const answer = await rates(key)
    expect([answer.status, ((await answer.json()) as { reason: string }).reason]).toEqual([402, 'spend_cap'])
  }
  expect((await listKeys(visitor)).map(({ spentCredits }: { spentCredits: number }) => spentCredits)).toEqual([3, 3])
  expect((await visitor.open('/portal/keys')).text.match(/3 of 3 credits this month( including the previous key)?/g)).toEqual([
    '3 of 3 credits this month including the previous key',
    '3 of 3 credits this month',
  ])
})

test("a rotation with an overlap can't exceed the key limit", async () => {
  const { visitor, id } = await fixture.member()
  const own = getData(await createKey(visitor, { mode: 'test' }))
  await addTestKeys(fixture, id, 49, 'more')
  expect((await visitor.call('keys.rotate', 'mutation', { id: own.id, overlapHours: 24 })).status).toBe(400)
  expect((await visitor.call('keys.rotate', 'mutation', { id: own.id, overlapHours: 0 })).status).toBe(200)
})
