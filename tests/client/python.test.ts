/** Tests the Python client: its own tests against a running service, its README, and its generated files. Costs are checked against the request log. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { snake } from '../../scripts/python-names.ts'
import { pythonSources } from '../../scripts/python-sources.ts'
import { getBlocks } from '../docs/support/docs-text.ts'
import { isInstalled } from '../docs/support/programs.ts'
import { Documented } from '../published/support/documented.ts'
import { getOperations, getResponse, type Named } from '../published/support/open-api.ts'
import { managingTestKey } from '../published/support/own-webhook.ts'
import { busyTestKey } from '../published/support/test-key.ts'
import { verifies } from '../requirements/verifies.ts'
import { toolPackages, withTools } from '../support/public-tools.ts'
import { ClientFixture } from './support/client-fixture.ts'

const fixture = new ClientFixture()
const folder = join(import.meta.dirname, '../../client-python')
let launched: Named[]

beforeAll(async () => {
  await fixture.open()
  const { document } = await Documented.by(fixture)
  launched = getOperations(document).filter(
    ({ operation }) => operation['x-svc-availability'] !== 'coming-soon' && getResponse(document, operation, 200)?.content?.['application/json'],
  )
})
afterAll(() => fixture.close())

/** Runs Python and returns its output. @throws Error with its error output */
async function python(args: readonly string[], env: Record<string, string> = {}): Promise<{ stdout: string; stderr: string }> {
  const own = { ...process.env, PYTHONPATH: join(folder, 'src'), PYTHONDONTWRITEBYTECODE: '1', no_proxy: '*', ...env }
  return promisify(execFile)('python3', ['-W', 'error', ...args], { cwd: folder, env: own, timeout: 100_000 })
}

/** Returns the arguments of an operation's example call, including its body, by Python name. */
function exampleArguments({ operation }: Named): Record<string, unknown> {
  const inPath = operation.parameters.filter((one) => one.in === 'path').map(({ name, example }) => [snake(name), example])
  const query = [...new URLSearchParams(String(operation['x-svc-example-call']).split('?')[1])].map(([name, value]) => [snake(name), value])
  const body = Object.entries((operation.requestBody?.content['application/json'].examples?.['sample']?.value ?? {}) as object)
  return Object.fromEntries([...inPath, ...query, ...body.map(([name, value]) => [snake(name), value])])
}

/** Warns if Python is not installed. In CI, it must be. */
const withPython =
  (body: () => Promise<void>) =>
  async ({ annotate }: { annotate: (message: string, type: string) => Promise<unknown> }) => {
    if (isInstalled('python3')) return body()
    await annotate('python3 is not installed: the Python client is not tested.', 'warning')
  }

verifies(
  ['clients/python-methods', 'clients/python-async', 'clients/python-retries', 'clients/python-pagination', 'clients/python-webhooks'],
  'the tests of the Python client pass against a running service',
  withPython(async () => {
    const { caller, webhook } = await managingTestKey(fixture)
    // The call that deletes the webhook endpoint comes last.
    const ordered = launched.toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))
    const examples = ordered.map((one) => [snake(one.operation.operationId), exampleArguments(one)])
    const methods = launched.map(({ operation }) => snake(operation.operationId))
    const env = {
      SVC_TEST_API: fixture.service.api,
      SVC_TEST_KEY: caller.key,
      SVC_TEST_METHODS: JSON.stringify(methods),
      SVC_TEST_EXAMPLES: webhook.withOwnIds(JSON.stringify(Object.fromEntries(examples))),
    }
    const { stdout, stderr } = await python(['-m', 'unittest', 'discover', '-t', '.', '-s', 'tests'], env)
    expect(stderr).toMatch(/^Ran (?:39|[4-9]\d) tests in [\d.]+s\n\nOK$/m)
    expect(stdout).toContain(`${methods.length} methods, ${examples.length} calls, 0 credits`)
  }),
  120_000,
)

const costs = `
import os
from savings_rates import CallOptions, ETagCache, PageOptions, SavingsRates
client = SavingsRates(os.environ["SVC_TEST_KEY"], base_url=os.environ["SVC_TEST_API"], cache=ETagCache())
first, again = client.reference_currencies(), client.reference_currencies()
pages = client.iter_rates_list(limit=5, fields=["sourceKey"], options=PageOptions(max_credits=12))
rows = len(list(pages))
key = "kept-for-a-repetition"
plain = SavingsRates(os.environ["SVC_TEST_KEY"], base_url=os.environ["SVC_TEST_API"])
one, replayed = (plain.rates_list(limit=2, cursor=pages.cursor, options=CallOptions(idempotency_key=key)) for _ in range(2))
print(first.credits_charged, again.credits_charged, again.is_unchanged, rows, pages.credits, pages.stopped, one.credits_charged, replayed.credits_charged, replayed.is_replay)
`

verifies(
  'clients/python-cache',
  'the Python client reports the same charges as the log, and pays nothing for unchanged data or repeated calls',
  withPython(async () => {
    const caller = await fixture.live({ credits: 50 })
    const { stdout } = await python(['-c', costs], { SVC_TEST_API: fixture.service.api, SVC_TEST_KEY: caller.key })
    expect(stdout.trim()).toMatch(/^1 0 True 12 12 ceiling 2 0 True$/)
    expect((await fixture.logged(caller)).credits).toBe(15)
    expect(await fixture.balance(caller.account)).toBe(35)
  }),
)

test('the committed generated files of the Python client are up to date', async () => {
  for (const { name, text } of await pythonSources()) {
    const committed = readFileSync(join(folder, 'src/savings_rates/_generated', name), 'utf8')
    expect(committed === text, `client-python/src/savings_rates/_generated/${name} is out of date: run npm run client:generate`).toBe(true)
  }
})

test('the Python package has the same version in both files and no dependencies', () => {
  const project = readFileSync(join(folder, 'pyproject.toml'), 'utf8')
  const settings = readFileSync(join(folder, 'src/savings_rates/_settings.py'), 'utf8')
  expect(/^version = "(.+)"$/m.exec(project)?.[1]).toBe(/^VERSION = "(.+)"$/m.exec(settings)?.[1])
  expect(project).toContain('dependencies = []')
})

test(
  'the code in the README of the Python client runs',
  withPython(async () => {
    const blocks = getBlocks(new Map([['README.md', readFileSync(join(folder, 'README.md'), 'utf8')]])).filter(({ language }) => language === 'python')
    expect(blocks.length).toBeGreaterThan(5)
    const program = blocks
      .map(({ code }) => code)
      .join('\n\n')
      .replaceAll('http://localhost:3000', fixture.service.origin)
    const { key } = await busyTestKey(fixture)
    // The README leaves its clients open, as a script would until it ends.
    const { stdout } = await python(['-W', 'ignore::ResourceWarning', '-c', program], { SVC_API_KEY: key, SVC_WEBHOOK_SECRET: 'whsec_of_the_tests' })
    expect(stdout).toMatch(/^\d\.\d\d .+ Saver/m)
    expect(stdout).toContain('stopped: ')
    expect(stdout).toContain('unchanged: True 0 credits')
    expect(stdout).toMatch(/missing_signature\n400\n$/)
  }),
  60_000,
)

verifies(
  'clients/python-types',
  withTools(async () => {
    const pyright = join(toolPackages, 'pyright/index.js')
    const { stdout } = await promisify(execFile)(process.execPath, [pyright, '--project', folder, '--outputjson'], {
      timeout: 100_000,
      maxBuffer: 64_000_000,
    }).catch((error: { stdout: string }) => error)
    const { generalDiagnostics } = JSON.parse(stdout) as { generalDiagnostics: { file: string; message: string; range: { start: { line: number } } }[] }
    expect(generalDiagnostics.map(({ file, range, message }) => `${file.slice(folder.length)}:${range.start.line + 1} ${message}`)).toEqual([])
  }),
  120_000,
)
