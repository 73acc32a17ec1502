import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Matches a statement sent to a connection, with or without a row type, but not a tRPC procedure, whose `query` method takes a function. */
const statement = /\.query(?:<[^()]*>)?\((?!\(|async\b)/

/** Matches a string that begins with a statement. */
const sqlText = /[`'"]\s*(?:SELECT|INSERT INTO|UPDATE \w+ (?:\w+ )?SET|DELETE FROM|WITH (?:RECURSIVE )?\w+ AS|CALL) /

const isSqlFile = (path: string) => path.endsWith('.sql.ts')

const files = ['server', 'app', 'components']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)))
  .filter((path) => /\.tsx?$/.test(path) && !path.includes('generated'))

test.each([
  ['statements', statement],
  ['SQL text', sqlText],
])('allows %s only in *.sql.ts files', (_, pattern) => {
  const found = files.filter((path) => pattern.test(readFileSync(path, 'utf8')))
  // Components can't import a connection; a client of the procedures also has a method `query`.
  expect(found.filter((path) => !isSqlFile(path) && (pattern !== statement || !path.startsWith('components')))).toEqual([])
  // Makes sure that the pattern matches statements.
  expect(found.length).toBeGreaterThan(10)
})

test('limits the number of *.sql.ts files, and requires each to begin with the reason for its SQL', () => {
  const sqlFiles = files.filter(isSqlFile)
  expect(sqlFiles.length).toBeLessThanOrEqual(25)
  for (const path of sqlFiles) expect([path, readFileSync(path, 'utf8').startsWith('/**')]).toEqual([path, true])
})
