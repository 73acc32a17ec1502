import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Matches a statement sent to a connection, with or without a row type, but not a tRPC procedure: its `query` takes a function. */
const statement = /\.query(?:<[^()]*>)?\((?!\(|async\b)/

/** Modules that still have `*.store.ts` files with SQL. */
const unconverted = ['admin', 'billing', 'keys', 'metering', 'webhooks'].map((name) => join('server', name))

const isStore = (path: string) =>
  path.endsWith('.sql.ts') ||
  (path.endsWith('.store.ts') && unconverted.some((folder) => path.startsWith(folder))) ||
  // The exception runs the long statements of these stores.
  path === join('server', 'db', 'transaction.ts')

test('allows SQL only in *.sql.ts files, and in the stores of modules that are not converted yet', () => {
  const files = ['server', 'app', 'components'].flatMap((deps) =>
    readdirSync(deps, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => join(deps, path)),
  )
  const [stores, others] = [files.filter(isStore), files.filter((path) => !isStore(path))]
  const withSql = (paths: string[]) => paths.filter((path) => statement.test(readFileSync(path, 'utf8')))
  expect(withSql(others)).toEqual([])
  // This proves that the pattern matches statements.
  expect(withSql(stores).length).toBeGreaterThan(10)
})

test('limits the number of *.sql.ts files, and requires each to begin with the reason for its SQL', () => {
  const files = readdirSync('server', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.sql.ts'))
  expect(files.length).toBeLessThanOrEqual(25)
  for (const path of files) expect([path, readFileSync(join('server', path), 'utf8').startsWith('/**')]).toEqual([path, true])
})
