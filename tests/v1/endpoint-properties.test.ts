import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { registry } from '../../server/endpoints/registry.ts'
import { runs, valueOf } from './support/arbitraries.ts'
import { checkAnswer } from './support/check-answer.ts'
import { keyChanged } from './support/operator.ts'
import { type Caller, onEachMount } from './support/stage.ts'
import { costOf, type Entry, isLaunched, parametersOf, targetOf } from './support/target.ts'

const plenty = { credits: 10_000_000, perMinute: 1_000_000, perDay: 10_000_000 }

/** Some of the parameters of an endpoint, each with a value that is right, at the edge of what is right, or wrong. */
const queryFor = (entry: Entry): fc.Arbitrary<string> =>
  fc
    .tuple(
      ...parametersOf(entry).map(({ name, documented }) =>
        fc.option(
          valueOf(documented).map((value) => `${name}=${value}`),
          { freq: 4 },
        ),
      ),
    )
    .map((parts) => parts.filter((part) => part !== null).join('&'))

onEachMount((stage) => {
  let live: Caller
  let sample: Caller

  beforeAll(async () => {
    live = await stage.live(plenty)
    sample = await stage.keyOf(live.account, { mode: 'test' })
    await stage.sql('UPDATE key_meter m SET own_minute_limit = 1000000 FROM api_key k WHERE k.id = m.key_id AND k.public_id = $1', [sample.keyId])
    await keyChanged(stage, sample.keyId)
  })

  /** Never a 5xx, never an odd shape, and for an answer exactly its price. */
  async function check(entry: Entry, query: string, caller: Caller): Promise<void> {
    const [path] = (await targetOf(stage, entry, caller === live ? 'live' : 'sample')).split('?')
    const answer = await stage.raw('GET', `/v1${path}?${query}`, { authorization: `Bearer ${caller.key}` })
    const charged = checkAnswer(answer)
    expect([query, charged]).toEqual([query, answer.status === 200 && caller === live ? costOf(entry, answer.body.data) : 0])
  }

  const served = registry.filter((entry) => isLaunched(entry) && parametersOf(entry).length > 0)

  test.each(served.map((entry) => [entry.path, entry] as const))('%s with any values of its parameters', { timeout: 60_000 }, async (_path, entry) => {
    const caller = entry.live === 'open' ? live : sample
    await fc.assert(
      fc.asyncProperty(queryFor(entry), (query) => check(entry, query, caller)),
      runs(60),
    )
  })
})
