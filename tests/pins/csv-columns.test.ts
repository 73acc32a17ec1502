import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { csvColumns } from '#server/api/contract/csv.ts'
import { listFormats } from '#server/api/contract/list-formats.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import { snapshotLists } from '#server/api/endpoints/snapshots/snapshot-lists.ts'

/** CSV columns of each list and file, in order. Columns are read by name, so new ones can be added; SVC_WRITE_PINS=1 adds them to the file. */
type Columns = Readonly<Record<string, readonly string[]>>

const file = join(import.meta.dirname, 'csv-columns.json')

const namesOf = (...of: Parameters<typeof csvColumns>): readonly string[] => csvColumns(...of).map(({ name }) => name)

const lists = registry.filter(({ kind }) => kind === 'list' || kind === 'whole')
const present: Columns = Object.fromEntries([
  ...lists.map(({ path, output }) => [path, namesOf(output as Parameters<typeof csvColumns>[0])] as const),
  ...snapshotLists.map(({ name, row, fields }) => [`/snapshots/${name}`, namesOf(row, fields)] as const),
])

const promised: Columns = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
const missing = Object.entries(promised).flatMap(([path, names]) => names.filter((name) => !present[path]?.includes(name)).map((name) => `${path} ${name}`))

if (process.env['SVC_WRITE_PINS'] === '1' && missing.length === 0) {
  writeFileSync(file, JSON.stringify({ ...promised, ...present }))
  execFileSync(join(import.meta.dirname, '../../node_modules/.bin/biome'), ['format', '--write', file])
}

test('lists and files keep their CSV columns', () => {
  expect(Object.keys(promised).length).toBeGreaterThanOrEqual(23)
  expect(missing).toEqual([])
})

test('every list and file has promised columns', () => {
  expect(Object.keys(present).filter((path) => !(path in promised))).toEqual([])
})

test('formats keep their content types', () => {
  expect(Object.values(listFormats).map(({ contentType }) => contentType)).toEqual([
    'application/json; charset=utf-8',
    'text/csv; charset=utf-8; header=present',
    'application/x-ndjson; charset=utf-8',
  ])
})
