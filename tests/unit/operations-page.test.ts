import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { usualLimits } from '#server/api/http/listener-limits.ts'
import { longestBody } from '#server/api/http/mcp.ts'
import { type Env, readEnv } from '#server/env.ts'

/** The page for operators, held against the code: a number that changes here has to change there. */
const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/operations.md'), 'utf8')

/** A constant of a source file, by its name. */
function constantIn(file: string, name: string): number {
  const [, digits] = new RegExp(`const ${name} = ([\\d_]+)\\n`).exec(readFileSync(join(root, file), 'utf8')) ?? []
  if (digits === undefined) throw new Error(`${file} has no constant ${name}.`)
  return Number(digits.replaceAll('_', ''))
}

/** Default and meaning of each setting, by its name. */
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

test('every variable that the service reads is in the table of settings, and nothing else is', () => {
  const groups = [
    'runtime/exposure-variables',
    'billing/payment-variables',
    'db/database-variables',
    'runtime/processes/process-variables',
    'api/http/listener-limits',
    'observability/watch-variables',
  ]
  const sources = ['env', ...groups].map((file) => readFileSync(join(root, 'server', `${file}.ts`), 'utf8'))
  const read = sources.flatMap((source) => [...source.matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name))
  // What only tests set is not for operators.
  const forTests = ['WEBHOOKS_ALLOW_PRIVATE', 'STRIPE_API_BASE']
  expect([...settings().keys()].toSorted()).toEqual(read.filter((name) => !forTests.includes(name ?? '')).toSorted())
})

test('the defaults are those that hold when nothing is set', () => {
  const env: Env = readEnv({} as NodeJS.ProcessEnv)
  const defaults = { PORT: env.port, DATA_DIR: env.dataDir, ROLES: [...env.roles].join(), LOG_LEVEL: env.logLevel }
  for (const [name, value] of Object.entries(defaults)) expect(settings().get(name)?.split('|')[0]?.replaceAll('`', '').trim(), name).toBe(String(value))
})

test.each([
  ['leaves within (\\d+)\\s+seconds', 'server/runtime/processes/end-signals.ts', 'stopWithinMs', 1_000],
  ['Calls fail within (\\d+) seconds', 'server/metering/admission.ts', 'answerWithinMs', 1_000],
  ['Calls fail within (\\d+) seconds', 'server/api/pipeline/deadline.ts', 'waitMs', 1_000],
  ['turned over at (\\d+) MB', 'server/db/embedded-log.ts', 'limitBytes', 1_000_000],
  ['are read again every (\\d+) seconds', 'server/runtime/service.ts', 'refreshEveryMs', 1_000],
])('"%s" is %s %s', (words, file, name, unit) => {
  const [, told] = new RegExp(words).exec(page.replace(/\s+/g, ' ')) ?? []
  expect(Number(told) * unit).toBe(constantIn(file, name))
})

test('the limits of the listener are told as they are', () => {
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
  const said = (what: string) => Number(/^[\d,]+/.exec(rows.get(what) ?? '')?.[0].replaceAll(',', ''))
  expect({
    headBytes: said('path and headers together'),
    headerCount: said('headers of a request'),
    pathLength: said('path with its query'),
    bodyBytes: said('body of any request'),
    headersMs: said('time for the headers, from the first byte on') * 1_000,
    requestMs: said('time for the whole request') * 1_000,
    keepAliveMs: said('connection without a request') * 1_000,
    stalledMs: said('answer of which nothing is taken') * 1_000,
    atOnce: said('requests of one connection that wait for answers'),
    checkEveryMs: Number(/looked at every (\d+) seconds/.exec(table)?.[1]) * 1_000,
  }).toEqual({ headBytes, headerCount, pathLength, bodyBytes, headersMs, requestMs, keepAliveMs, stalledMs, atOnce, checkEveryMs })
  expect(said('body of a message at `/mcp`')).toBe(longestBody)
  const { listener } = readEnv({} as NodeJS.ProcessEnv)
  expect([settings().get('MAX_CONNECTIONS'), settings().get('MAX_CONNECTIONS_PER_ADDRESS')]).toEqual([
    expect.stringMatching(new RegExp(`^${listener.connections} `)),
    expect.stringMatching(new RegExp(`^${listener.connectionsOfOne};`)),
  ])
})
