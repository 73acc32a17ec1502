/** Tests pagination and retries in the TypeScript client. Costs are checked against the balance and the request log. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { busyTestKey } from '../published/support/test-key.ts'
import { inOneMinute, setMinuteUsed } from '../v1/support/operator.ts'
import { all, ClientFixture, failure, quickly } from './support/client-fixture.ts'
import { type CuttingProxy, startCuttingProxy } from './support/cutting-proxy.ts'

const fixture = new ClientFixture()
let proxy: CuttingProxy

beforeAll(async () => {
  await fixture.open()
  proxy = await startCuttingProxy(fixture.service.api)
})

afterAll(async () => {
  await proxy.close()
  await fixture.close()
})

test('reads every page once and never exceeds the limits', async () => {
  const caller = await fixture.live({ credits: 200 })
  const client = fixture.client(caller)
  const iterator = client.iterate('ratesList', { limit: 5, fields: ['sourceKey'] }, { maxCredits: 12 })
  const first = await all(iterator)
  expect([first.length, iterator.rows, iterator.credits, iterator.stopped]).toEqual([12, 12, 12, 'ceiling'])
  expect(await fixture.logged(caller)).toEqual({ credits: 12, calls: 3 })
  const rest = client.iterate('ratesList', { fields: ['sourceKey'], cursor: iterator.cursor }, { maxRows: 7 })
  const second = await all(rest)
  expect([second.length, rest.credits, rest.stopped]).toEqual([7, 7, 'rows'])
  const page = await client.ratesList({ limit: 19, fields: ['sourceKey'] })
  expect([...first, ...second]).toEqual(page.data)
  // At two credits a row, one of the seven credits is left. The client stops without another request.
  const history = client.iterate('historyList', {}, { maxCredits: 7 })
  expect([(await all(history)).length, history.credits, history.stopped]).toEqual([3, 6, 'ceiling'])
  expect(await fixture.logged(caller)).toEqual({ credits: 44, calls: 6 })
  // The client's limit applies to iterations that don't set their own.
  const careful = fixture.client(caller, { maxCredits: 3 }).iterate('providersList')
  expect([(await all(careful)).length, careful.stopped]).toEqual([3, 'ceiling'])
  expect(await fixture.balance(caller.account)).toBe(153)
})

test('reports whether iteration stopped at the end of the list, at balance 0 or at a cap', async () => {
  const iterator = fixture.client(await busyTestKey(fixture)).iterate('providersList', { limit: 3 })
  const rows = await all(iterator)
  expect([iterator.stopped, iterator.cursor, iterator.credits, new Set(rows.map(({ slug }) => slug)).size]).toEqual(['done', null, 0, rows.length])
  expect(rows.length).toBeGreaterThan(3)
  const poor = await fixture.live({ credits: 5 })
  const broke = fixture.client(poor).iterate('ratesList', { limit: 4 })
  expect([(await all(broke)).length, broke.credits, broke.stopped]).toEqual([5, 5, 'credits'])
  expect([broke.cursor === null, await fixture.balance(poor.account)]).toEqual([false, 0])
  const capped = fixture.client(await fixture.live({}, { spendCapCredits: 6 })).iterate('ratesList', { limit: 4 })
  expect([(await all(capped)).length, capped.stopped]).toEqual([6, 'spend-cap'])
})

test('resumes in the middle of a page after the loop exits early, without paying again', async () => {
  const caller = await fixture.live({ credits: 50 })
  const iterator = fixture.client(caller).iterate('ratesList', { limit: 6, fields: ['sourceKey'] }, { maxRows: 10 })
  const seen: object[] = []
  for await (const row of iterator) if (seen.push(row) === 4) break
  expect([iterator.stopped, iterator.rows, iterator.unread.length, iterator.credits]).toEqual([null, 4, 2, 6])
  for await (const row of iterator) seen.push(row)
  expect([iterator.stopped, iterator.rows, iterator.credits, new Set(seen.map((row) => JSON.stringify(row))).size]).toEqual(['rows', 10, 10, 10])
  expect(await fixture.logged(caller)).toEqual({ credits: 10, calls: 2 })
})

test(
  'waits as long as a rate-limit response says, but not past the deadline',
  inOneMinute(async () => {
    const caller = await fixture.live()
    await setMinuteUsed(fixture, caller.keyId, 600)
    const waited: number[] = []
    const wait = async (ms: number) => {
      waited.push(ms)
      await setMinuteUsed(fixture, caller.keyId, 0)
    }
    const secondsLeft = 60 - (Math.floor(Date.now() / 1_000) % 60)
    expect((await fixture.client(caller, { wait }).servicePing()).data.ok).toBe(true)
    const [ms = 0] = waited
    expect([waited.length, ms >= (secondsLeft - 1) * 1_000, ms <= (secondsLeft + 1) * 1_000]).toEqual([1, true, true])
    await setMinuteUsed(fixture, caller.keyId, 600)
    const limited = await failure(fixture.client(caller, { wait, deadlineMs: 3_000 }).servicePing())
    expect(limited).toMatchObject({ code: 'rate_limited', status: 429, attempts: 1, body: { retryAfter: limited.retryAfterSeconds } })
    expect([limited.retryAfterSeconds !== null && limited.retryAfterSeconds > 3, waited.length]).toEqual([true, 1])
  }, 8),
)

test('recovers a response that was lost after it was charged, without paying again', async () => {
  const caller = await fixture.live({ credits: 30 })
  const client = fixture.client(caller, { baseUrl: proxy.api, ...quickly })
  for (const kept of [0, 700]) {
    proxy.lose(1, kept)
    const answer = await client.ratesList({ limit: 6 })
    expect([answer.data.length, answer.creditsCharged, answer.isReplay]).toEqual([6, 0, true])
  }
  expect(await fixture.logged(caller)).toEqual({ credits: 12, calls: 4 })
  // If the responses to all attempts are lost, the error contains the Idempotency-Key, with which the response can be retrieved.
  proxy.lose(3, 0)
  const lost = await failure(client.ratesList({ limit: 5 }))
  expect(lost).toMatchObject({ code: 'network_error', status: null, attempts: 3, requestId: null })
  expect(await client.ratesList({ limit: 5 }, { idempotencyKey: lost.idempotencyKey ?? '' })).toMatchObject({ isReplay: true, creditsCharged: 0 })
  expect(await fixture.balance(caller.account)).toBe(13)
})

test('counts charges for lost responses towards the limit, and continues when iterated again', async () => {
  const caller = await fixture.live({ credits: 50 })
  const iterator = fixture.client(caller, { baseUrl: proxy.api, ...quickly }).iterate('ratesList', { limit: 4 }, { maxCredits: 10 })
  proxy.lose(1, 0)
  expect([(await all(iterator)).length, iterator.credits, iterator.stopped]).toEqual([10, 10, 'ceiling'])
  expect(await fixture.balance(caller.account)).toBe(40)
  const broken = fixture.client(caller, { baseUrl: proxy.api, maxRetries: 0 }).iterate('ratesList', { limit: 4 }, { maxRows: 8 })
  proxy.lose(1, 0)
  expect((await failure(all(broken))).code).toBe('network_error')
  expect([(await all(broken)).length, broken.credits, broken.stopped]).toEqual([8, 8, 'rows'])
  expect(await fixture.balance(caller.account)).toBe(32)
})

test('pays once for a page whose response was lost, even if the next attempt also fails', async () => {
  const caller = await fixture.live({ credits: 50 })
  const odd = ['<h1>Hello</h1>', { status: 200 }] as const
  for (const [text, init] of [odd, ...[401, 403, 429].map((status) => ['{"error":"other","message":"No."}', { status }] as const)]) {
    let call = 0
    const fetchOdd: typeof fetch = async (...request) => {
      call++
      const answer = call === 2 ? new Response(text, init) : await fetch(...request)
      return call === 1 ? new Response(null, { status: 502 }) : answer
    }
    const before = await fixture.balance(caller.account)
    const iterator = fixture.client(caller, { fetch: fetchOdd, maxRetries: 0 }).iterate('ratesList', { limit: 6 }, { maxCredits: 6 })
    expect((await failure(all(iterator))).status).toBe(502)
    const refused = await failure(all(iterator))
    expect([refused.status, refused.idempotencyKey === null]).toEqual([init.status, false])
    expect([(await all(iterator)).length, iterator.credits, iterator.stopped, before - (await fixture.balance(caller.account))]).toEqual([6, 6, 'ceiling', 6])
  }
})

test('a new iteration continues an aborted one without paying again for the lost page', async () => {
  const caller = await fixture.live({ credits: 50 })
  const ending = new AbortController()
  let calls = 0
  const fetchOnce: typeof fetch = async (...request) => {
    const answer = await fetch(...request)
    if (++calls === 2) ending.abort(new Error('Enough.'))
    return answer
  }
  const iterator = fixture.client(caller, { fetch: fetchOnce }).iterate('ratesList', { limit: 6 }, { maxRows: 10, maxCredits: 10, signal: ending.signal })
  await expect(all(iterator)).rejects.toThrow('Enough.')
  expect([iterator.rows, iterator.credits, iterator.unread.length, iterator.idempotencyKey === null]).toEqual([6, 6, 0, false])
  const { cursor, idempotencyKey } = iterator
  const rest = fixture.client(caller).iterate('ratesList', { limit: 6, cursor }, { maxRows: 4, maxCredits: 4, idempotencyKey })
  expect([(await all(rest)).length, rest.credits, rest.stopped, rest.idempotencyKey]).toEqual([4, 4, 'rows', null])
  expect(await fixture.logged(caller)).toEqual({ credits: 10, calls: 3 })
})

test('treats insufficient_credits with an unknown reason like an empty balance', async () => {
  const body = JSON.stringify({ error: 'insufficient_credits', message: 'No.', reason: 'later' })
  const iterator = fixture.client({ key: 'svc_test_x' }, { fetch: async () => new Response(body, { status: 402 }) }).iterate('ratesList')
  expect([(await all(iterator)).length, iterator.stopped]).toEqual([0, 'credits'])
})
