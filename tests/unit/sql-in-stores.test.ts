import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Matches a statement passed to a connection: `.query('…')` or `.query({ text: …`, with or without a row type. */
const statement = /\.query(?:<[^()]*>)?\(\s*['"`{]/

const isStore = (path: string) => /\.(store|sql)\.ts$/.test(path) || path.startsWith(join('server', 'db'))

test('allows SQL only in *.sql.ts files, *.store.ts files and server/db', () => {
  const files = ['server', 'app', 'components'].flatMap((deps) =>
    readdirSync(deps, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => join(deps, path)),
  )
  const [stores, others] = [files.filter(isStore), files.filter((path) => !isStore(path))]
  const withSql = (paths: string[]) => paths.filter((path) => statement.test(readFileSync(path, 'utf8')))
  expect(withSql(others)).toEqual([])
  // Proves that the pattern matches statements.
  expect(withSql(stores).length).toBeGreaterThan(20)
})
