import { expect, test } from 'vitest'
import { Pagination } from '../../client/src/pagination.ts'
import { SavingsRates } from '../../client/src/savings-rates.ts'
import { SavingsRatesError } from '../../client/src/savings-rates-error.ts'
import { pauseBefore, retryAfterSeconds, wait } from '../../client/src/settings.ts'

const now = Date.UTC(2026, 10, 22, 9)
const asked = (text: string, date?: string) => retryAfterSeconds(new Headers({ 'Retry-After': text, ...(date && { Date: date }) }), now)

test("parses Retry-After in seconds, or as a date by the server's clock", () => {
  expect([asked('42'), asked(' 0 '), asked(''), asked('soon'), asked('-1'), retryAfterSeconds(new Headers())]).toEqual([42, 0, null, null, null, null])
  expect(asked('Sun, 22 Nov 2026 09:01:30 GMT')).toBe(90)
  expect(asked('Sun, 22 Nov 2026 08:00:00 GMT')).toBe(0)
  expect(asked('Sun, 22 Nov 2026 09:01:30 GMT', 'Sun, 22 Nov 2026 09:01:00 GMT')).toBe(30)
})

const failed = (status: number | undefined, retryAfter: number | null = null, code: SavingsRatesError['code'] = 'unexpected_answer') =>
  new SavingsRatesError({ code, message: '', ...(status && { status }), retryAfterSeconds: retryAfter })

test('retries only temporary errors', () => {
  const isTried = (error: SavingsRatesError) => pauseBefore(error, 1) !== null
  expect([429, 500, 502, 503, 504].filter((status) => !isTried(failed(status)))).toEqual([])
  expect([200, 301, 400, 401, 402, 403, 404, 501].filter((status) => isTried(failed(status)))).toEqual([])
  expect([isTried(failed(undefined, null, 'network_error')), isTried(failed(undefined, null, 'timeout')), isTried(failed(undefined))]).toEqual([
    true,
    true,
    false,
  ])
})

test('waits at least as long as Retry-After, or backs off exponentially up to a maximum if the header is missing', () => {
  for (const chance of [0, 0.5, 0.999]) {
    const pause = pauseBefore(failed(503, 7), 1, () => chance) ?? 0
    expect([pause >= 7_000, pause < 8_000]).toEqual([true, true])
  }
  const pauses = [1, 2, 3, 4, 5, 6, 10].map((attempts) => pauseBefore(failed(500), attempts, () => 1))
  expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000])
  expect(pauseBefore(failed(500), 3, () => 0)).toBe(500)
})

test('stops waiting when the caller aborts', async () => {
  const ending = new AbortController()
  const waiting = wait(60_000, ending.signal)
  ending.abort(new Error('Enough.'))
  await expect(waiting).rejects.toThrow('Enough.')
  await expect(wait(1, ending.signal)).rejects.toThrow('Enough.')
})

/** Creates a client whose requests receive these responses, in order. */
function answered(...answers: (() => Response)[]) {
  const sent: { url: string; headers: Headers }[] = []
  const client = new SavingsRates({
    apiKey: 'svc_live_x',
    baseUrl: 'https://api.example.test/v1/',
    wait: async () => {},
    fetch: async (url, init) => {
      sent.push({ url: String(url), headers: new Headers(init?.headers) })
      return answers[sent.length - 1]?.() ?? Response.json({ data: {}, meta: {} })
    },
  })
  return { client, sent }
}

test('sends the same idempotency key for all attempts of a charged call, but no key for free calls', async () => {
  const busy = () => new Response('Bad gateway', { status: 502 })
  const { client, sent } = answered(busy, busy)
  await client.ratesGet({ sourceKey: 'a/b c' }, { maxCredits: 3 })
  await client.ratesGet({ sourceKey: 'a' })
  await client.serviceMe()
  const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
  expect([keys[0], keys[1], keys[2] === keys[3], keys[4]]).toEqual([expect.any(String), keys[2], false, null])
  expect(sent[0]?.url).toBe('https://api.example.test/v1/rates/a%2Fb%20c')
  expect(sent.map(({ headers }) => headers.get('x-svc-max-credits'))).toEqual(['3', '3', '3', null, null])
})

test('prevents path traversal, and rejects invalid settings', async () => {
  const { client, sent } = answered()
  for (const sourceKey of ['', '.', '..']) await expect(client.ratesGet({ sourceKey })).rejects.toThrow(TypeError)
  await expect(client.ratesList({}, { maxCredits: -1 })).rejects.toThrow('maxCredits')
  await expect(client.ratesList({}, { deadlineMs: 600_000 })).rejects.toThrow('deadlineMs')
  expect(() => client.iterate('ratesList', {}, { maxRows: 1.5 })).toThrow('maxRows')
  expect(sent).toEqual([])
  const apiKey = 'svc_test_x'
  for (const bad of [{ apiKey: '' }, { apiKey: 'two words' }, { apiKey, baseUrl: 'ftp://x' }]) expect(() => new SavingsRates(bad)).toThrow(TypeError)
  expect(() => new SavingsRates({ apiKey, maxRetries: 11 })).toThrow(RangeError)
})

test('sends no request if the maximum cost is less than the price of one row', async () => {
  const read = async () => expect.unreachable('Requested a page.')
  const pagination = new Pagination<object>({ read, credits: 2, per: 'row', limit: 50, cursor: 'here', idempotencyKey: null }, 1, null)
  for await (const row of pagination) expect.unreachable(String(row))
  expect([pagination.stopped, pagination.cursor]).toEqual(['ceiling', 'here'])
})
