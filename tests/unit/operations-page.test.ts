import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Env, readEnv } from '../../server/env.ts'

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
  const sources = ['server/env.ts', 'server/billing/payment-variables.ts', 'server/watch/watch-variables.ts'].map((file) =>
    readFileSync(join(root, file), 'utf8'),
  )
  const read = sources.flatMap((source) => [...source.matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name))
  // What only tests set is not for operators.
  const forTests = ['WEBHOOKS_ALLOW_PRIVATE', 'STRIPE_API_BASE']
  expect([...settings().keys()].toSorted()).toEqual(read.filter((name) => !forTests.includes(name ?? '')).toSorted())
})

test('the defaults are those that hold when nothing is set', () => {
  const env: Env = readEnv({} as NodeJS.ProcessEnv)
  const defaults = { PORT: env.port, DATA_DIR: env.dataDir, ROLES: [...env.roles].join(), TRUST_PROXY: env.trustProxy, LOG_LEVEL: env.logLevel }
  for (const [name, value] of Object.entries(defaults)) expect(settings().get(name)?.split('|')[0]?.replaceAll('`', '').trim(), name).toBe(String(value))
})

test.each([
  ['leaves within (\\d+)\\s+seconds', 'server/processes/end-signals.ts', 'stopWithinMs', 1_000],
  ['Calls fail within (\\d+) seconds', 'server/metering/admission.ts', 'answerWithinMs', 1_000],
  ['Calls fail within (\\d+) seconds', 'server/gate/deadline.ts', 'waitMs', 1_000],
  ['turned over at (\\d+) MB', 'server/db/embedded-postmaster.ts', 'logLimitBytes', 1_000_000],
  ['are read again every (\\d+) seconds', 'server/service.ts', 'refreshEveryMs', 1_000],
])('"%s" is %s %s', (words, file, name, unit) => {
  const [, told] = new RegExp(words).exec(page.replace(/\s+/g, ' ')) ?? []
  expect(Number(told) * unit).toBe(constantIn(file, name))
})
