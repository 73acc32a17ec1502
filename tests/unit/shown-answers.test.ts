/** Compares the responses shown on pages with the API's responses. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountTypeValues } from '#server/api/contract/account-types.ts'
import { pageContext } from '#server/api/documents/markets.ts'
import { sampleAnswer, workedExample } from '#server/api/documents/samples.ts'
import { loadSnapshot, type MarketSnapshot } from '#server/market/snapshot.ts'
import { Fixture } from '../v1/support/fixture.ts'

const fixture = new Fixture('lean')
let market: MarketSnapshot

beforeAll(async () => {
  await fixture.open()
  market = await loadSnapshot(fixture.pool)
})

afterAll(() => fixture.close())

test.each(accountTypeValues)('the sample response for %s equals the response to a test key', async (type) => {
  const { key } = await fixture.test({ credits: 20 })
  const at = '2026-11-21T09:00:00.000Z'
  const { target, cost, body } = await sampleAnswer(market.dataset('sample'), type, at)
  const answer = await fixture.get(target, key)
  expect(answer.status).toBe(200)
  // URLs of the service occur only outside the rows, so rows must match exactly.
  expect(body.data).toEqual(answer.body.data)
  const { requestId, generatedAt, nextCursor, ...shown } = answer.body.meta
  expect(body.meta).toEqual({ ...shown, requestId: 'req_…', generatedAt: at, nextCursor: nextCursor === null ? null : '…' })
  expect([Object.keys(body.meta), requestId, Number.isNaN(Date.parse(generatedAt))]).toEqual([
    Object.keys(answer.body.meta),
    expect.stringMatching(/^req_/),
    false,
  ])
  expect(cost).toBe('1 credit per row')
})

/** Describes a response as the worked example does. */
function describeAnswer({ status, body }: Awaited<ReturnType<typeof fixture.get>>, target: string): string {
  if (status === 304) return '304, unchanged'
  if (status === 400) return `400, suggests “${/Did you mean "(\w+)"/.exec(body.message)?.[1]}”`
  if (!Array.isArray(body.data)) return target === '/ping' ? '200' : '200, one product'
  return 'nextCursor' in body.meta && target.startsWith('/rates') ? `200, ${body.data.length} rows` : '200, whole list'
}

test('the worked example matches the real calls of a new account', async () => {
  const { key, account } = await fixture.live({ plan: 'hobby', credits: 20 })
  const [opening, ...calls] = workedExample()
  expect(opening).toMatchObject({ credits: 20, balance: 20 })
  let last = { target: '', tag: '' }
  for (const { what, answer, credits, balance } of calls) {
    const isAgain = what === 'Same call with If-None-Match'
    const target = isAgain ? last.target : what.replace(/^GET /, '').replace('{sourceKey}', await fixture.productKey())
    const got = await fixture.get(target, key, isAgain ? { 'if-none-match': last.tag } : {})
    expect([what, describeAnswer(got, target)]).toEqual([what, answer])
    expect([what, -Number(got.headers.get('x-svc-credits-charged')) || 0, Number(got.headers.get('x-svc-credits-balance'))]).toEqual([what, credits, balance])
    last = { target, tag: got.headers.get('etag') ?? '' }
  }
  expect(await fixture.balance(account)).toBe(workedExample().at(-1)?.balance)
})

test('builds pages without an account, with site-relative links', async () => {
  const context = pageContext(market.dataset('live'), 'live')
  expect(context).toMatchObject({ mode: 'live', publicUrl: '', requestId: '', withLogos: true })
  await expect(context.account()).rejects.toThrow('There is no calling account here, so endpoints about the account cannot be read.')
})
