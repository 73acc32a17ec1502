/** Runs the collection with Postman's runner in a separate process, as a user would after importing it and setting the two variables. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountEndpoints, allEndpoints } from '#server/api/endpoints/registry.ts'
import { verifies } from '../requirements/verifies.ts'
import { type Caller, Fixture } from '../v1/support/fixture.ts'
import { getResponse, type OpenApi } from './support/open-api.ts'
import { managingTestKey } from './support/own-webhook.ts'
import { busyTestKey } from './support/test-key.ts'
import { Validator } from './support/validator.ts'

const fixture = new Fixture('lean')
const newman = fileURLToPath(import.meta.resolve('newman/bin/newman.js'))
let folder = ''

beforeAll(async () => {
  await fixture.open()
  folder = await mkdtemp(join(tmpdir(), 'svc-newman-'))
})
afterAll(async () => {
  await fixture.close()
  await rm(folder, { recursive: true, force: true })
})

type Run = {
  readonly stats: Record<string, { readonly total: number; readonly failed: number }>
  readonly failures: readonly { readonly source: { readonly name: string }; readonly error: { readonly message: string } }[]
}

/** Runs the collection with the environment, as a user would after importing both and setting the key. `more` are further arguments of newman. */
async function run(key: string, baseUrl = fixture.service.api, ...more: readonly string[]): Promise<Run> {
  const own = await mkdtemp(join(folder, 'run-'))
  const file = async (name: string) => {
    await writeFile(join(own, name), (await fixture.raw('GET', `/api/developer/${name}`)).text)
    return join(own, name)
  }
  const [collection, environment, report] = [await file('postman.json'), await file('postman-environment.json'), join(own, 'report.json')]
  const variables = ['--environment', environment, '--env-var', `baseUrl=${baseUrl}`, '--env-var', `apiKey=${key}`]
  const reporting = ['--reporters', 'json', '--reporter-json-export', report]
  // newman exits with 1 if a test of the collection fails; the report names the failed test.
  const ended = promisify(execFile)(process.execPath, ['--no-deprecation', newman, 'run', collection, ...variables, ...reporting, ...more])
  await ended.catch((error: Error & { code?: unknown }) => {
    if (error.code !== 1) throw error
  })
  return JSON.parse(await readFile(report, 'utf8')).run
}

/** Number of requests that change the account. */
const changing = accountEndpoints.filter(({ method }) => method !== 'GET').length

const callers: readonly [string, () => Promise<Caller>][] = [
  ['a test key', () => busyTestKey(fixture)],
  ['a live key on the Hobby plan', () => fixture.live({ credits: 500, plan: 'hobby' })],
  ['a live key on the Enterprise plan', () => fixture.live({ credits: 500, plan: 'enterprise' })],
]

for (const [name, open] of callers) {
  verifies(
    'published/postman-keys',
    `all requests and tests in the Postman collection pass in newman with ${name}`,
    async () => {
      const { stats, failures } = await run((await open()).key)
      expect(failures.map(({ source, error }) => [source.name, error.message])).toEqual([])
      // Requests that change the account are skipped.
      expect(stats['requests']).toMatchObject({ total: allEndpoints.length - changing, failed: 0 })
      expect(stats['assertions']?.total).toBeGreaterThan(allEndpoints.length - changing)
      expect(stats['assertions']?.failed).toBe(0)
    },
    60_000,
  )
}

verifies(
  'published/postman-keys',
  'all requests and tests in the Postman collection pass in newman with a test key that manages webhooks, including changes',
  async () => {
    const { caller } = await managingTestKey(fixture)
    const { stats, failures } = await run(caller.key, fixture.service.api, '--env-var', 'sendChanges=true')
    expect(failures.map(({ source, error }) => [source.name, error.message])).toEqual([])
    expect(stats['requests']).toMatchObject({ total: allEndpoints.length, failed: 0 })
    const [audited] = await fixture.sql<{ actions: string[] }>(
      "SELECT array_agg(action ORDER BY id) AS actions FROM audit_entry WHERE account_id = $1 AND action LIKE 'webhook.%'",
      [caller.account.id],
    )
    expect(audited?.actions).toEqual(expect.arrayContaining(['webhook.create', 'webhook.update', 'webhook.delete']))
  },
  60_000,
)

type Item = {
  readonly name: string
  readonly item?: readonly Item[]
  readonly request?: { readonly method: string; readonly url: { readonly path: readonly string[] } }
  readonly response?: readonly { readonly code: number; readonly body?: string | null }[]
}

const getRequests = ({ item, ...one }: Item): Item[] => (item ? item.flatMap(getRequests) : [one])

test('every example response in the Postman collection matches the OpenAPI document', async () => {
  const read = async (name: string) => (await fixture.raw('GET', `/api/developer/${name}.json`)).body
  const [openApi, collection]: [OpenApi, { item: Item[] }] = [await read('openapi'), await read('postman')]
  const validator = new Validator(openApi)
  const kept = collection.item.flatMap(getRequests).flatMap(({ name, request, response = [] }) => {
    const path = `/${request?.url.path.map((part) => part.replace(/^:(.*)$/, '{$1}')).join('/')}`
    const operation = openApi.paths[path]?.[request?.method.toLowerCase() ?? '']
    return response.flatMap(({ code, body }) => {
      const content = operation && getResponse(openApi, operation, code)?.content
      if (!body) return []
      expect([name, content]).toEqual([name, expect.any(Object)])
      validator.expectValid(JSON.parse(body), content?.['application/json'].schema ?? {}, `${name}: ${body}`)
      return [path]
    })
  })
  // The collection contains every endpoint except those that haven't launched, and files, which aren't JSON.
  expect(kept.toSorted()).toEqual(allEndpoints.flatMap(({ kind, path }) => (kind === 'planned' || kind === 'file' ? [] : [path])).toSorted())
})

test('the tests in the Postman collection fail when the service rejects the calls', { timeout: 60_000 }, async () => {
  const { failures } = await run((await fixture.live({ credits: 0, plan: 'enterprise' })).key)
  const failed = new Set(failures.map(({ source }) => source.name))
  const paid = allEndpoints.filter(({ live, price }) => live === 'open' && price.credits > 0).map(({ summary }) => summary)
  expect(paid.length).toBeGreaterThan(20)
  expect(failed).toEqual(new Set(paid))
})

verifies('published/postman-waits', async () => {
  const times: number[] = []
  const limited = createServer((_, response) => {
    times.push(Date.now())
    response.setHeader('X-RateLimit-Remaining', times.length === 1 ? '0' : '9').setHeader('X-RateLimit-Reset', '2')
    response.setHeader('X-SVC-Mode', 'test').end('{"data":{},"meta":{}}')
  })
  await new Promise<void>((resolve) => limited.listen(0, '127.0.0.1', resolve))
  const { port } = limited.address() as AddressInfo
  await run('svc_test_of_the_runner', `http://127.0.0.1:${port}/v1`, '--folder', 'Service')
  limited.close()
  expect(times).toHaveLength(2)
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1_900)
})
