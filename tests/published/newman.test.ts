/** Runs the collection with Postman's runner in a separate process, as a user would after importing it and setting the two variables. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registry } from '#server/api/endpoints/registry.ts'
import { type Caller, Fixture } from '../v1/support/fixture.ts'
import { getResponse, type OpenApi } from './support/open-api.ts'
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
  readonly failures: readonly { readonly source: object; readonly error: { readonly message: string } }[]
}

async function run({ key }: Caller): Promise<Run> {
  const [collection, report] = [join(folder, 'postman.json'), join(folder, 'report.json')]
  await writeFile(collection, (await fixture.raw('GET', '/api/developer/postman.json')).text)
  const variables = ['--env-var', `baseUrl=${fixture.service.api}`, '--env-var', `apiKey=${key}`]
  const reporting = ['--reporters', 'json', '--reporter-json-export', report]
  // newman exits with 1 if a test of the collection fails; the report names the failed test.
  const ended = promisify(execFile)(process.execPath, ['--no-deprecation', newman, 'run', collection, ...variables, ...reporting])
  await ended.catch((error: Error & { code?: unknown }) => {
    if (error.code !== 1) throw error
  })
  return JSON.parse(await readFile(report, 'utf8')).run
}

test('all requests and tests in the Postman collection pass in newman', { timeout: 60_000 }, async () => {
  const { stats, failures } = await run(await busyTestKey(fixture))
  expect(failures.map(({ source, error }) => [source, error.message])).toEqual([])
  expect(stats['requests']).toMatchObject({ total: registry.length, failed: 0 })
  expect(stats['assertions']?.total).toBeGreaterThan(2 * registry.length)
  expect(stats['assertions']?.failed).toBe(0)
})

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
  // The collection contains every endpoint except those that haven't launched.
  expect(kept.toSorted()).toEqual(registry.flatMap(({ kind, path }) => (kind === 'planned' ? [] : [path])).toSorted())
})

test('the tests in the Postman collection fail when the service rejects the calls', { timeout: 60_000 }, async () => {
  const broke = await fixture.live({ credits: 0, plan: 'hobby' })
  const { stats } = await run(broke)
  expect(stats['assertions']?.failed).toBeGreaterThan(registry.length)
})
