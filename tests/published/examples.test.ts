import { afterAll, beforeAll, expect, test } from 'vitest'
import { responseFields } from '#server/api/documents/reference/schema-text.ts'
import { allEndpoints } from '#server/api/endpoints/registry.ts'
import { verifies } from '../requirements/verifies.ts'
import { Fixture } from '../v1/support/fixture.ts'
import { type Content, getHeader, getOperations, getParameter, type OpenApi } from './support/open-api.ts'
import { Validator } from './support/validator.ts'

const fixture = new Fixture('lean')
let document: OpenApi
let validator: Validator

beforeAll(async () => {
  await fixture.open()
  document = (await fixture.raw('GET', '/api/developer/openapi.json')).body
  validator = new Validator(document)
})
afterAll(() => fixture.close())

function checkContent(content: Content | undefined, what: string): number {
  let count = 0
  for (const { schema, examples = {} } of Object.values(content ?? {})) {
    for (const [name, { value }] of Object.entries(examples)) validator.expectValid(value, schema, `${what}, example ${name}`)
    count += Object.keys(examples).length
  }
  return count
}

test('the operations are exactly the endpoints in the registry', () => {
  const calls = getOperations(document).map(({ method, path }) => `${method} ${path}`)
  expect(calls).toEqual(allEndpoints.map(({ method, path }) => `${method} ${path}`))
})

test('every launched endpoint has an example that matches its schema', () => {
  for (const { method, path, operation } of getOperations(document)) {
    const call = `${method} ${path}`
    const count = checkContent(operation.responses['200']?.content, call)
    // A file has an example in each format.
    const expected = operation.responses['200']?.content?.['application/json'] === undefined ? 2 : 1
    expect([call, count]).toEqual([call, operation['x-svc-availability'] === 'coming-soon' ? 0 : expected])
  }
})

test('every error of the API has an example that matches its schema', () => {
  const codes = Object.entries(document.components.responses).flatMap(([name, { content }]) => {
    checkContent(content, name)
    return Object.keys(content?.['application/json'].examples ?? {})
  })
  // These are the errors of the specification without the two portal-only codes, plus replay_unavailable.
  expect(codes).toHaveLength(16)
  expect(codes).toContain('insufficient_credits')
  expect(codes).not.toContain('email_not_verified')
})

test('every parameter and header has a valid example', () => {
  const parameters = getOperations(document).flatMap(({ path, operation }) => operation.parameters.map((one) => [path, getParameter(document, one)] as const))
  for (const [path, { name, schema, example, required }] of parameters) {
    // Cursors are issued by the service, so there can be no example.
    if (name === 'cursor') expect(example).toBeUndefined()
    else validator.expectValid(example, schema, `${path} ${name}`)
    expect([path, name, typeof required]).toEqual([path, name, 'boolean'])
  }
  for (const [name, { schema, example }] of Object.entries(document.components.headers)) validator.expectValid(example, schema, name)
})

test('amounts and rates have no multipleOf, and their number of decimals is documented', () => {
  const all = getOperations(document).flatMap(({ path, operation }) => operation.parameters.map((one) => [path, getParameter(document, one)] as const))
  const decimals = all.filter(([, { schema }]) => schema['type'] === 'number')
  expect(decimals.length).toBeGreaterThan(15)
  for (const [path, { name, schema, description }] of decimals) {
    for (const value of [4.35, 19.99, 1.1]) validator.expectValid(value, schema, `${path} ${name}`)
    expect([path, name, description]).toEqual([path, name, expect.stringContaining('At most two decimals.')])
  }
})

test('every response field has a description', () => {
  const bare = allEndpoints.flatMap((entry) => responseFields(entry).flatMap(({ name, description }) => (description === '' ? [`${entry.path} ${name}`] : [])))
  expect(bare).toEqual([])
})

test('every event has an example that matches its schema', () => {
  expect(Object.keys(document.webhooks)).toEqual(['rate.changed', 'product.added', 'product.withdrawn', 'switch_offer.changed', 'balance.low', 'alert.matched'])
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    expect([type, checkContent(post.requestBody?.content, type)]).toEqual([type, 1])
    expect(post.parameters.map(({ name }) => name)).toEqual(['X-SVC-Signature', 'X-SVC-Event', 'X-SVC-Delivery'])
    for (const { name, schema, example } of post.parameters) validator.expectValid(example, schema, `${type} ${name}`)
  }
})

verifies('published/default-page-size-in-openapi', () => {
  const limits = getOperations(document).flatMap(({ path, operation }) =>
    operation.parameters.filter(({ name }) => name === 'limit').map((one) => [path, one] as const),
  )
  expect(limits.length).toBeGreaterThan(5)
  for (const [path, { schema, description }] of limits) {
    expect([path, schema['default']]).toEqual([path, 10])
    expect(description).toContain('Default 10; values above 50 are reduced to 50')
  }
})

test('documents prices, scopes, plans and availability in descriptions and extensions', () => {
  const rates = document.paths['/rates']?.['get']
  expect(rates).toMatchObject({
    'x-svc-price': { credits: 1, per: 'row' },
    'x-svc-cost': '1 credit per row',
    'x-svc-money': '10p per row',
    'x-svc-scopes': ['rates:read'],
    'x-svc-availability': 'open',
    'x-svc-tool': 'rates',
  })
  expect(rates?.description).toContain('Costs 1 credit per row (10p per row).')
  expect(rates?.description).toContain('Needs the scope `rates:read`.')
  expect(document.paths['/fx/rates']?.['get']).toMatchObject({ 'x-svc-scopes': ['cards:read', 'market:read'] })
  const history = document.paths['/history']?.['get']
  expect(history).toMatchObject({ 'x-svc-plan': 'enterprise', description: expect.stringContaining('Live keys need the Enterprise plan') })
  const assistant = document.paths['/assistant']?.['post']
  expect(assistant).toMatchObject({ 'x-svc-availability': 'coming-soon', description: expect.stringContaining('Coming soon') })
  expect(document.paths['/market/inflation']?.['get']).toMatchObject({ 'x-svc-availability': 'test-only' })
})

test('every response documents its headers', () => {
  for (const { path, operation } of getOperations(document)) {
    const success = operation.responses['200']?.headers ?? {}
    for (const name of ['X-SVC-Request-Id', 'X-SVC-Credits-Charged', 'X-SVC-Credits-Balance', 'X-RateLimit-Limit', 'RateLimit', 'ETag', 'X-SVC-Mode']) {
      const reference = success[name]
      expect([path, name, reference && getHeader(document, reference) !== undefined]).toEqual([path, name, true])
    }
  }
  expect(document.components.responses['TooManyRequests']?.headers).toHaveProperty('Retry-After')
})
