import { expect, test } from 'vitest'
import { callsAt, createKey } from './support/key-calls.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { getData } from './support/visitor.ts'

const fixture = portalFixture()

const { rates } = callsAt(fixture)

test('includes inactive keys in the total below the keys, and counts a replaced key only once', async () => {
  const { visitor } = await fixture.member({ credits: 10 })
  const [kept, old, gone] = [getData(await createKey(visitor)), getData(await createKey(visitor)), getData(await createKey(visitor))]
  for (const { key } of [kept, old, old, gone, gone, gone]) await rates(key)
  expect((await visitor.call('keys.revoke', 'mutation', { id: gone.id })).status).toBe(200)
  expect((await visitor.call('keys.rotate', 'mutation', { id: old.id, overlapHours: 1 })).status).toBe(200)
  const { text } = await visitor.open('/portal/keys')
  expect(text).toMatch(/1 inactive key 3 credits\s+this month/)
  expect(text).toMatch(/Whole account 6 credits\s+this month/)
})
