/** Tests the TypeScript client with prepared responses. */
import { expect, test, vi } from 'vitest'
import { SavingsRates } from '../../client/src/savings-rates.ts'
import { verifies } from '../requirements/verifies.ts'
import { all, failure } from './support/client-fixture.ts'

type Options = Partial<ConstructorParameters<typeof SavingsRates>[0]>

/** Returns a client that receives these responses, and a list of the idempotency keys it sends. */
function open(responses: readonly (Response | Error)[], options: Options = {}) {
  const left = [...responses]
  const keys: (string | null)[] = []
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    keys.push(new Headers(init?.headers).get('Idempotency-Key'))
    const next = left.shift()
    if (!(next instanceof Response)) throw next ?? new Error('No response is left.')
    return next
  }
  return { client: new SavingsRates({ apiKey: 'svc_test_x', fetch, ...options }), keys }
}

const page = (...rows: object[]) => Response.json({ data: rows, meta: { nextCursor: null } })
const gone = () => Response.json({ error: 'replay_unavailable', message: 'No.' }, { status: 409, headers: { ETag: 'W/"paid"' } })

test('reports an unrequested 304 as an unexpected response', async () => {
  const { client } = open([new Response(null, { status: 304 }), new Response(null, { status: 304 })])
  expect(await failure(client.ratesList())).toMatchObject({ code: 'unexpected_answer', status: 304 })
  expect(await client.ratesList({}, { ifNoneMatch: 'W/"1"' })).toMatchObject({ status: 304, data: null })
})

test('if a page is no longer stored, replaces its idempotency key and returns its ETag in the error', async () => {
  const { client, keys } = open([gone(), page({ sourceKey: 'a' })])
  const pages = client.iterate('ratesList', {}, { idempotencyKey: 'kept' })
  expect(await failure(all(pages))).toMatchObject({ code: 'replay_unavailable', etag: 'W/"paid"' })
  expect(pages.idempotencyKey).toBeNull()
  expect(await all(pages)).toHaveLength(1)
  expect(keys).toEqual(['kept', expect.not.stringMatching(/^kept$/)])
})

test("doesn't retry after the deadline, even if the pause took longer than requested", async () => {
  const start = performance.now()
  const now = vi.spyOn(performance, 'now').mockReturnValue(start)
  // Simulates a computer that goes to sleep.
  const wait = async () => void now.mockReturnValue(start + 700_000)
  const { client, keys } = open([new TypeError('Lost.'), page()], { wait })
  expect((await failure(client.ratesList())).code).toBe('network_error')
  expect(keys).toHaveLength(1)
  now.mockRestore()
})

const accepts = (apiKey: string, baseUrl: string, options: Options = {}): boolean => {
  try {
    return new SavingsRates({ apiKey, baseUrl, ...options }) instanceof SavingsRates
  } catch (error) {
    expect(error).toMatchObject({ message: expect.stringContaining('Live keys are only sent over https://') })
    return false
  }
}

verifies('clients/live-keys-over-https', () => {
  for (const url of ['http://api.example.test/v1', 'http://10.0.0.1/v1', 'http://localhost.example.test/v1']) {
    const results = [accepts('svc_live_x', url), accepts('svc_live_x', url, { allowHttp: true }), accepts('svc_test_x', url)]
    expect([url, ...results]).toEqual([url, false, true, true])
  }
  for (const url of ['https://api.example.test/v1', 'http://localhost:3000/v1', 'http://127.0.0.1/v1', 'http://[::1]:3000/v1']) {
    expect([url, accepts('svc_live_x', url)]).toEqual([url, true])
  }
})
