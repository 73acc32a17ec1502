/** Tests the TypeScript client against a running service. Costs are checked against the balance and the request log. */
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountEndpoints, snapshotEndpoints } from '#server/api/endpoints/registry.ts'
import { table } from '../../client/src/generated/table.ts'
import type { SavingsRates } from '../../client/src/savings-rates.ts'
import type { OperationId } from '../../client/src/shapes.ts'
import { Documented } from '../published/support/documented.ts'
import { getOperations, getResponse, type Named } from '../published/support/open-api.ts'
import { managingTestKey } from '../published/support/own-webhook.ts'
import { Validator } from '../published/support/validator.ts'
import { ClientFixture, failure, quickly } from './support/client-fixture.ts'

const fixture = new ClientFixture()
let launched: Named[]
let validator: Validator

beforeAll(async () => {
  await fixture.open()
  const { document } = await Documented.by(fixture)
  validator = new Validator(document)
  launched = getOperations(document).filter(
    // The client has no methods for files.
    ({ operation }) => operation['x-svc-availability'] !== 'coming-soon' && getResponse(document, operation, 200)?.content?.['application/json'] !== undefined,
  )
})

afterAll(() => fixture.close())

/** Returns the parameters and the body of an operation's example call. */
function exampleInput({ operation }: Named): Record<string, unknown> {
  const inPath = operation.parameters.filter((one) => one.in === 'path').map(({ name, example }) => [name, String(example)])
  const body = operation.requestBody?.content['application/json'].examples?.['sample']?.value
  return {
    ...Object.fromEntries(inPath),
    ...Object.fromEntries(new URLSearchParams(String(operation['x-svc-example-call']).split('?')[1])),
    ...(body as object),
  }
}

type AnyMethod = (input: object) => Promise<{ status: number; data: unknown; meta: object; creditsCharged: number; creditsBalance: number; requestId: string }>

/** Calls an operation's method and validates the response against the OpenAPI document. */
async function expectAnswer(client: SavingsRates, one: Named, input = exampleInput(one)): Promise<number> {
  const id = one.operation.operationId
  const { status, data, meta, ...facts } = await (client[id as OperationId] as unknown as AnyMethod).call(client, input)
  const schema = getResponse((await Documented.by(fixture)).document, one.operation, 200)?.content?.['application/json'].schema ?? {}
  expect([id, status]).toEqual([id, 200])
  validator.expectValid({ data, meta }, schema, id)
  expect(facts).toMatchObject({ ...(({ requestId, creditsCharged, creditsBalance }) => ({ requestId, creditsCharged, creditsBalance }))(meta as typeof facts) })
  return facts.creditsCharged
}

test('has a method for every operation, and each returns a valid, free response to a test key', async () => {
  expect(Object.keys(table).toSorted()).toEqual(launched.map(({ operation }) => operation.operationId).toSorted())
  const { caller, webhook } = await managingTestKey(fixture)
  for (const one of launched) {
    await webhook.restore()
    const input = JSON.parse(webhook.withOwnIds(JSON.stringify(exampleInput(one))))
    expect(await expectAnswer(fixture.client(caller), one, input)).toBe(0)
  }
})

test('calls every open operation with a live key, and reports the same charges as the log', async () => {
  const caller = await fixture.live({ credits: 300 })
  const [product, provider] = [await fixture.productKey(), (await fixture.client(caller).referenceProviders()).data[0]?.slug ?? '']
  let charged = 1
  // Keys without account:manage can't call the endpoints for webhooks.
  const open = launched.filter(({ operation, path }) => operation['x-svc-availability'] === 'open' && !/^\/(?:webhook|alerts)/.test(path))
  for (const one of open) {
    const own = Object.entries(exampleInput(one)).map(([name, value]) => [name, { sourceKey: product, slug: provider, provider }[name] ?? value])
    charged += await expectAnswer(fixture.client(caller), one, Object.fromEntries(own))
  }
  // The 24 open data endpoints, the list of files and the account endpoints.
  const others = [...snapshotEndpoints, ...accountEndpoints].filter(({ kind, path }) => kind !== 'file' && !/^\/(?:webhook|alerts)/.test(path))
  expect(open.length).toBe(24 + others.length)
  expect(await fixture.logged(caller)).toEqual({ credits: charged, calls: open.length + 1 })
  expect(await fixture.balance(caller.account)).toBe(300 - charged)
})

test('`fields` trims the rows of a list and narrows their type', async () => {
  const { data, meta, rateLimit } = await fixture.client(await fixture.test()).ratesList({ type: 'easy-access', limit: 2, fields: ['provider', 'rate'] })
  const row: { provider: string; rate: string } | undefined = data[0]
  // @ts-expect-error: not one of the requested fields
  expect(data[0]?.accountName).toBeUndefined()
  expect([Object.keys(row ?? {}), data.length, meta.limit]).toEqual([['provider', 'rate'], 2, 2])
  expect(rateLimit).toEqual({ limit: 10, remaining: expect.any(Number), resetSeconds: expect.any(Number) })
})

test('returns a free 304 if nothing has changed', async () => {
  const caller = await fixture.live({ credits: 10 })
  const client = fixture.client(caller)
  const first = await client.referenceCurrencies()
  const again = await client.referenceCurrencies({}, { ifNoneMatch: first.etag ?? '' })
  expect(again).toMatchObject({ status: 304, data: null, meta: null, creditsCharged: 0, creditsBalance: 9, etag: first.etag })
  expect((await client.referenceCurrencies({}, { ifNoneMatch: 'W/"older"' })).status).toBe(200)
  expect(await fixture.logged(caller)).toEqual({ credits: 2, calls: 3 })
})

test('throws the complete error body, and does not retry permanent errors', async () => {
  const caller = await fixture.live({ credits: 4 })
  const client = fixture.client(caller)
  // @ts-expect-error: no such account type
  const typo = await failure(client.ratesList({ type: 'easy-acces' }))
  expect(typo).toMatchObject({ code: 'invalid_request', status: 400, attempts: 1, message: expect.stringContaining('easy-access') })
  expect([typo.requestId, typo.docs, typo.retryAfterSeconds]).toEqual([expect.stringMatching(/^req_/), expect.stringContaining('/docs/errors/'), null])
  const poor = await failure(client.assetsProvider({ slug: (await client.referenceProviders()).data[0]?.slug ?? '' }))
  expect(poor.body?.error === 'insufficient_credits' && poor.body.required).toBe(5)
  const dear = await failure(client.ratesGet({ sourceKey: await fixture.productKey() }, { maxCredits: 0 }))
  expect(dear.body).toMatchObject({ error: 'insufficient_credits', reason: 'max_credits' })
  expect(await failure(fixture.client({ key: 'svc_test_none' }).servicePing())).toMatchObject({ code: 'invalid_api_key', status: 401, attempts: 1 })
  expect(await fixture.logged(caller)).toEqual({ credits: 1, calls: 4 })
  const text = JSON.stringify([client, dear, String(dear.stack)])
  expect(text).not.toContain(caller.key)
})

test('reports connection failures, timeouts and unexpected responses with separate codes', async () => {
  const refused = await failure(fixture.client({ key: 'svc_test_x' }, { baseUrl: 'http://127.0.0.1:9/v1', ...quickly }).servicePing())
  expect(refused).toMatchObject({ code: 'network_error', attempts: 3 })
  let says: string | null = null
  const silent = createServer((_, response) => {
    if (says !== null) response.setHeader('X-SVC-Request-Id', 'req_of_the_proxy').end(says)
  })
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const address = silent.address()
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/v1`
  const waiting = fixture.client({ key: 'svc_test_x' }, { baseUrl, maxRetries: 0 })
  expect(await failure(waiting.servicePing({}, { timeoutMs: 30 }))).toMatchObject({ code: 'timeout', status: null, attempts: 1 })
  expect(await failure(waiting.servicePing({}, { deadlineMs: 30, maxRetries: 5 }))).toMatchObject({ code: 'timeout' })
  const given = new Error('Aborted by the user.')
  const ending = new AbortController()
  setTimeout(() => ending.abort(given), 20)
  await expect(waiting.servicePing({}, { signal: ending.signal })).rejects.toBe(given)
  await expect(waiting.servicePing({}, { signal: AbortSignal.abort(given) })).rejects.toBe(given)
  const idempotencyKey = 'kept-for-the-page-of-somebody-else'
  for (const other of ['<h1>Hello</h1>', '{"data":{}}', '[]']) {
    says = other
    expect(await failure(waiting.ratesList({}, { idempotencyKey }))).toMatchObject({ idempotencyKey, attempts: 1, requestId: 'req_of_the_proxy' })
    const page = await failure(waiting.servicePing())
    expect(page).toMatchObject({ code: 'unexpected_answer', status: 200, message: expect.stringContaining('baseUrl') })
  }
  silent.close()
  silent.closeAllConnections()
})
