/** Checks that the numbers in docs/operations.md match the code. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { usualLimits } from '#server/api/http/listener-limits.ts'
import { longestBody } from '#server/api/http/mcp.ts'
import { type Env, readEnv } from '#server/env.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/operations.md'), 'utf8')

/** Returns the value of a numeric constant in a source file. */
function constantIn(file: string, name: string): number {
  const [, digits] = new RegExp(`const ${name} = ([\\d_]+)\\n`).exec(readFileSync(join(root, file), 'utf8')) ?? []
  if (digits === undefined) throw new Error(`${file} has no constant ${name}.`)
  return Number(digits.replaceAll('_', ''))
}

/** Returns the remaining table cells for each setting, keyed by name. The first cell is the default. */
function settings(): Map<string, string> {
  const table = page.slice(page.indexOf('## Settings'), page.indexOf('## Command line'))
  const rows = table.split('\n').filter((line) => line.startsWith('| `'))
  return new Map(
    rows.flatMap((line) => {
      const [names = '', ...rest] = line.split('|').slice(1, -1)
      return [...names.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name = '']) => [name, rest.join('|').trim()] as const)
    }),
  )
}

test('the settings table lists exactly the variables the service reads', () => {
  const groups = [
    'runtime/runtime-variables',
    'billing/payment-variables',
    'db/database-variables',
    'api/http/listener-limits',
    'observability/observability-variables',
  ]
  const sources = ['env', ...groups].map((file) => readFileSync(join(root, 'server', `${file}.ts`), 'utf8'))
  const read = sources.flatMap((source) => [...source.matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name))
  // Variables that only tests set, so the page need not list them.
  const forTests = ['WEBHOOKS_ALLOW_PRIVATE', 'STRIPE_API_BASE']
  expect([...settings().keys()].toSorted()).toEqual(read.filter((name) => !forTests.includes(name ?? '')).toSorted())
})

test('the settings table shows the actual defaults', () => {
  const env: Env = readEnv({} as NodeJS.ProcessEnv)
  const defaults = { PORT: env.port, DATA_DIR: env.dataDir, ROLES: [...env.roles].join(), LOG_LEVEL: env.logLevel }
  for (const [name, value] of Object.entries(defaults)) expect(settings().get(name)?.split('|')[0]?.replaceAll('`', '').trim(), name).toBe(String(value))
})

test.each([
  ['exits within (\\d+)\\s+seconds', 'server/runtime/processes/shutdown.ts', 'stopTimeoutMs', 1_000],
  ['Calls fail within (\\d+) seconds', 'server/metering/admission.ts', 'answerTimeoutMs', 1_000],
  ['Calls fail within (\\d+) seconds', 'server/api/pipeline/deadline.ts', 'timeoutMs', 1_000],
  ['rotated at (\\d+) MB', 'server/db/embedded-log.ts', 'limitBytes', 1_000_000],
  ['are re-read every (\\d+) seconds', 'server/runtime/service.ts', 'refreshEveryMs', 1_000],
])('the number in "%s" matches %s %s', (words, file, name, unit) => {
  const [, stated] = new RegExp(words).exec(page.replace(/\s+/g, ' ')) ?? []
  expect(Number(stated) * unit).toBe(constantIn(file, name))
})

test('the table of listener limits matches the code', () => {
  const table = page.slice(page.indexOf('## Limits of the listener'), page.indexOf('## Health'))
  const { headBytes, headerCount, pathLength, bodyBytes, headersMs, requestMs, keepAliveMs, stalledMs, atOnce, checkEveryMs } = usualLimits
  const rows = new Map(
    table.split('\n').flatMap((line) =>
      line.startsWith('| ')
        ? [
            line
              .split('|')
              .slice(1, 3)
              .map((cell) => cell.trim()) as [string, string],
          ]
        : [],
    ),
  )
  const limit = (what: string) => Number(/^[\d,]+/.exec(rows.get(what) ?? '')?.[0].replaceAll(',', ''))
  expect({
    headBytes: limit('path and headers together'),
    headerCount: limit('headers of a request'),
    pathLength: limit('path with its query'),
    bodyBytes: limit('body of any request'),
    headersMs: limit('time for the headers, from the first byte') * 1_000,
    requestMs: limit('time for the whole request') * 1_000,
    keepAliveMs: limit('idle connection') * 1_000,
    stalledMs: limit('response that the client does not read') * 1_000,
    atOnce: limit('pipelined requests of one connection'),
    checkEveryMs: Number(/are checked every (\d+) seconds/.exec(table)?.[1]) * 1_000,
  }).toEqual({ headBytes, headerCount, pathLength, bodyBytes, headersMs, requestMs, keepAliveMs, stalledMs, atOnce, checkEveryMs })
  expect(limit('body of a message at `/mcp`')).toBe(longestBody)
  const { listener } = readEnv({} as NodeJS.ProcessEnv)
  expect([settings().get('MAX_CONNECTIONS'), settings().get('MAX_CONNECTIONS_PER_ADDRESS')]).toEqual([
    expect.stringMatching(new RegExp(`^${listener.connections} `)),
    expect.stringMatching(new RegExp(`^${listener.connectionsOfOne};`)),
  ])
})
