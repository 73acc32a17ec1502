/** Runs public tools on the published documents and the MCP server, as callers do. docs/client-compatibility.md lists their versions. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { plannedEndpoints } from '#server/api/endpoints/planned/planned-endpoints.ts'
import { accountEndpoints, allEndpoints, registry, snapshotEndpoints } from '#server/api/endpoints/registry.ts'
import { verifies } from '../requirements/verifies.ts'
import { loadTool, runTool, toolPackages, withTools } from '../support/public-tools.ts'
import { freePort } from '../support/service-process.ts'
import { Fixture } from '../v1/support/fixture.ts'
import { exampleTarget } from './support/documented.ts'
import { generatedClients } from './support/generated-clients.ts'
import { getOperations, type OpenApi } from './support/open-api.ts'
import { managingTestKey, type OwnWebhook } from './support/own-webhook.ts'

const fixture = new Fixture('lean')
const root = join(import.meta.dirname, '../..')
let folder = ''
let document: OpenApi
let key = ''
let webhook: OwnWebhook

beforeAll(async () => {
  await fixture.open()
  folder = await mkdtemp(join(tmpdir(), 'svc-tools-'))
  document = (await fixture.raw('GET', '/api/developer/openapi.json')).body
  const managing = await managingTestKey(fixture)
  key = managing.caller.key
  webhook = managing.webhook
  // The document has the tests' public URL, at which no server listens.
  await writeFile(join(folder, 'openapi.json'), webhook.withOwnIds(JSON.stringify({ ...document, servers: [{ url: fixture.service.api }] })))
})

afterAll(async () => {
  await fixture.close()
  await rm(folder, { recursive: true, force: true })
})

const launched = () => getOperations(document).filter(({ operation }) => operation['x-svc-availability'] !== 'coming-soon')
/** Snapshots and the endpoints about the account are not tools. */
const toolCount = registry.length - plannedEndpoints.length

/** Generates the three clients in a folder that resolves packages like a developer's project. */
async function generateClients(): Promise<void> {
  await symlink(toolPackages, join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const orval = { api: { input: 'openapi.json', output: { target: 'orval.ts', client: 'fetch', baseUrl: fixture.service.api } } }
  await writeFile(join(folder, 'orval.config.mjs'), `export default ${JSON.stringify(orval)}`)
  await Promise.all([
    runTool('openapi-zod-client/bin.js', ['openapi.json', '-o', 'zod.ts'], folder),
    runTool('orval/dist/bin/orval.mjs', [], folder),
    runTool('swagger-typescript-api/dist/cli.mjs', ['generate', '-p', 'openapi.json', '-o', '.', '-n', 'swagger.ts', '--enum-style=union'], folder),
  ])
  for (const [name, code] of Object.entries(generatedClients)) await writeFile(join(folder, `with-${name}.ts`), code)
}

verifies(
  'published/compatible-generators',
  withTools(async () => {
    await generateClients()
    const options = { strict: true, noEmit: true, skipLibCheck: true, target: 'es2022', module: 'preserve', allowImportingTsExtensions: true, types: [] }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['with-*.ts'] }))
    await runTool(join(root, 'node_modules/typescript-native/bin/tsc'), ['-p', '.'], folder)
    for (const name of Object.keys(generatedClients)) {
      const { use } = (await import(join(folder, `with-${name}.ts`))) as { use: (baseUrl: string, key: string) => Promise<object> }
      const expected = { rows: 2, same: true, refused: 'invalid_request', typo: true, logo: 'image/svg+xml' }
      expect([name, await use(fixture.service.api, key)]).toEqual([name, expected])
    }
  }),
  120_000,
)

verifies(
  'published/compatible-proxy',
  withTools(async () => {
    const port = await freePort()
    const options = ['openapi.json', fixture.service.api, '--errors', '--validate-request', '--port', String(port), '--verboseLevel', 'silent']
    const proxy = spawn(process.execPath, [join(toolPackages, '@stoplight/prism-cli/dist/index.js'), 'proxy', ...options], { cwd: folder, stdio: 'ignore' })
    onTestFinished(() => void proxy.kill())
    const send = (target: string, method = 'GET', body?: unknown) =>
      fetch(`http://127.0.0.1:${port}${target}`, {
        method,
        headers: { Authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
        body: body === undefined ? null : JSON.stringify(body),
      })
    await vi.waitFor(() => send('/ping'), { timeout: 30_000, interval: 200 })
    // The proxy answers 500 if a response doesn't match the document, and 422 if a request doesn't.
    const examples = launched().map((named) => {
      const body = named.operation.requestBody?.content['application/json'].examples?.['sample']?.value
      return [webhook.withOwnIds(exampleTarget(named)), 200, named.method, body] as const
    })
    for (const [target, status, method, body] of [...examples, ['/rates/none', 404] as const, ['/rates?cursor=none', 400] as const]) {
      await webhook.restore()
      const response = await send(target, method, body)
      expect([target, response.status, response.headers.get('sl-violations')], await response.text()).toEqual([target, status, null])
    }
  }),
  60_000,
)

verifies(
  'published/compatible-contract-tests',
  withTools(async () => {
    const files = snapshotEndpoints.filter(({ path }) => path !== '/snapshots').map(({ path }) => `GET::${path}`)
    const enabled = { enabled: true }
    const answered = { statusSuccess: enabled, contentType: enabled, headersPresent: enabled }
    const operations = { openApiOperation: '*::/*', excludeForOperations: ['POST::/assistant', ...files] }
    const contractTests = [
      { ...operations, ...answered, jsonBody: enabled, schemaValidation: enabled },
      ...files.map((openApiOperation) => ({ openApiOperation, ...answered })),
    ]
    // Portman sends only required parameters, but /simulate also needs one parameter from each of two pairs.
    const chosen = Object.entries({ rate: '4.5', amount: '1000' }).map(([name, value]) => ({ key: name, value, overwrite: true }))
    const simulate = { openApiOperation: 'GET::/simulate', overwriteRequestQueryParams: chosen }
    // Deletes the webhook endpoint after the other operations have used it.
    const managed = accountEndpoints.filter(({ method }) => method !== 'DELETE').map(({ method, path }) => `${method}::${path}`)
    const globals = { orderOfOperations: [...managed, 'DELETE::/webhooks/{id}'] }
    const config = { version: 1, tests: { contractTests }, overwrites: [simulate], globals }
    await webhook.restore()
    await writeFile(join(folder, 'portman.json'), JSON.stringify(config))
    await runTool('@apideck/portman/bin/portman', ['-l', 'openapi.json', '-b', fixture.service.api, '-c', 'portman.json', '-o', 'contract.json'], folder)
    const newman = fileURLToPath(import.meta.resolve('newman/bin/newman.js'))
    const reporting = ['--reporters', 'json', '--reporter-json-export', 'report.json']
    // newman exits with 1 if a test fails; the report names the failed test.
    await runTool(newman, ['run', 'contract.json', '--env-var', `bearerToken=${key}`, ...reporting], folder).catch(() => undefined)
    const { run } = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))
    expect(run.stats.requests).toMatchObject({ total: allEndpoints.length, failed: 0 })
    expect(run.stats.assertions.total).toBeGreaterThan(4 * launched().length)
    const failures: { source: { name: string }; error: { message: string } }[] = run.failures
    expect(failures.map(({ source, error }) => [source.name, error.message])).toEqual([])
  }),
  120_000,
)

verifies(
  'tools/compatible-inspector',
  withTools(async () => {
    const server = ['--cli', `${fixture.service.origin}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${key}`, '--method']
    const ask = (...args: readonly string[]) => runTool('@modelcontextprotocol/inspector/clients/launcher/build/index.js', [...server, ...args], folder)
    const list = await ask('tools/list', '--strict')
    // Schemas that some models reject would be reported on standard error.
    expect(list.stderr).toBe('')
    expect(JSON.parse(list.stdout).tools).toHaveLength(toolCount)
    const { stdout } = await ask('tools/call', '--tool-name', 'rates', '--tool-arg', 'limit=2')
    expect(JSON.parse(stdout).structuredContent.data).toHaveLength(2)
    expect(JSON.parse((await ask('prompts/list')).stdout).prompts).toHaveLength(1)
    expect((await ask('resources/read', '--uri', 'svc://docs/index')).stdout).toContain('reference_products')
  }),
  60_000,
)

type AiTool = { readonly execute: (input: object, options: object) => Promise<{ structuredContent: { data: Record<string, unknown>[] }; isError?: boolean }> }
type AiClient = { readonly tools: () => Promise<Record<string, AiTool>>; readonly close: () => Promise<void> }

verifies(
  'tools/compatible-ai-sdk',
  withTools(async () => {
    const { createMCPClient } = loadTool('@ai-sdk/mcp') as { createMCPClient: (config: object) => Promise<AiClient> }
    const transport = { type: 'http', url: `${fixture.service.origin}/mcp`, headers: { Authorization: `Bearer ${key}` } }
    const client = await createMCPClient({ transport })
    const tools = await client.tools()
    expect(Object.keys(tools)).toHaveLength(toolCount)
    const call = async (name: string, input: object) => tools[name]?.execute(input, { toolCallId: 'call', messages: [] })
    const [best] = (await call('rates', { type: 'easy-access', limit: 2 }))?.structuredContent.data ?? []
    expect(best).toMatchObject({ sourceKey: expect.any(String) })
    const grown = await call('simulate', { sourceKey: best?.['sourceKey'], amount: 1000, months: 12 })
    expect(grown?.structuredContent.data).toMatchObject({ totalInterest: expect.any(String) })
    expect((await call('rates_get', { sourceKey: 'none' }))?.isError).toBe(true)
    await client.close()
  }),
  60_000,
)

test('docs/client-compatibility.md states the versions that are installed here', () => {
  const page = readFileSync(join(root, 'docs/client-compatibility.md'), 'utf8')
  const stated = Object.fromEntries([...page.matchAll(/^\| `([^`]+)` +\| ([\d.a-z-]+) +\|/gm)].map(([, name = '', version]) => [name, version]))
  const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
  const own = read('package.json').devDependencies
  const tools = read('compatibility/package.json').dependencies
  expect(Object.keys(stated).length).toBeGreaterThan(9)
  for (const [name, version] of Object.entries(stated)) expect([name, version]).toEqual([name, tools[name] ?? own[name]])
})
