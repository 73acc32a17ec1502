import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { registry } from '#server/api/endpoints/registry.ts'
import { runs, valueFor } from './support/arbitraries.ts'
import { checkAnswer } from './support/check-answer.ts'
import { type Caller, onEachMount } from './support/fixture.ts'
import { keyChanged } from './support/operator.ts'
import { type Entry, getCost, getParameters, getTarget, isLaunched } from './support/target.ts'

const plenty = { credits: 10_000_000, perMinute: 1_000_000, perDay: 10_000_000 }

type Change = readonly [name: string, value: string | null]

/** Generates up to three changes to a valid call: a parameter is omitted, or set to a valid, boundary or invalid value. */
function changesFor(entry: Entry): fc.Arbitrary<Change[]> {
  const change = fc
    .constantFrom(...getParameters(entry))
    .chain(({ name, documented }) => fc.option(valueFor(documented), { freq: 8 }).map((value): Change => [name, value]))
  return fc.uniqueArray(change, { maxLength: 3, selector: ([name]) => name })
}

/** Returns the query after the changes, without encoding values. */
function withChanges(query: string, changes: readonly Change[]): string {
  const values = new Map<string, string | null>(new URLSearchParams(query))
  for (const [name, value] of changes) values.set(name, value)
  return [...values].flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`])).join('&')
}

onEachMount((fixture) => {
  let live: Caller
  let sample: Caller

  beforeAll(async () => {
    live = await fixture.live(plenty)
    sample = await fixture.getKey(live.account, { mode: 'test' })
    await fixture.sql('UPDATE key_meter m SET own_minute_limit = 1000000 FROM api_key k WHERE k.id = m.key_id AND k.public_id = $1', [sample.keyId])
    await keyChanged(fixture, sample.keyId)
  })

  /** Asserts that a response isn't a 5xx, has a valid body, and was charged at exactly its price. */
  async function check(entry: Entry, changes: readonly Change[], caller: Caller): Promise<number> {
    const [path, query = ''] = (await getTarget(fixture, entry, caller === live ? 'live' : 'sample')).split('?')
    const target = `/v1${path}?${withChanges(query, changes)}`
    const answer = await fixture.raw('GET', target, { authorization: `Bearer ${caller.key}` })
    const charged = checkAnswer(answer)
    expect([target, charged]).toEqual([target, answer.status === 200 && caller === live ? getCost(entry, answer.body.data) : 0])
    return answer.status
  }

  const served = registry.filter((entry) => isLaunched(entry) && getParameters(entry).length > 0)

  test.each(served.map((entry) => [entry.path, entry] as const))(
    '%s returns a valid, correctly charged response for any parameter values',
    { timeout: 60_000 },
    async (_path, entry) => {
      const caller = entry.live === 'open' ? live : sample
      const statuses = new Set<number>()
      await fc.assert(
        fc.asyncProperty(changesFor(entry), async (changes) => {
          statuses.add(await check(entry, changes, caller))
        }),
        runs(60),
      )
      // Both 200 and 400 must occur; otherwise the generated values are unsuitable.
      expect([...statuses]).toEqual(expect.arrayContaining([200, 400]))
    },
  )
})
