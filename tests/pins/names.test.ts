import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openApiDocument } from '#server/api/documents/openapi/document.ts'
import { MarketView } from '#server/market/market-view.ts'
import type { OpenApi, Operation } from '../published/support/open-api.ts'
import { getOperations } from '../published/support/open-api.ts'

/**
 * Names in the OpenAPI document become names in generated clients, so they must stay unchanged like the schemas. `names.json` contains the published names;
 * SVC_WRITE_PINS=1 adds new ones to it, as it does for `v1.json`.
 */
type Names = { readonly operation: string; readonly record: string | null }
type Pinned = Readonly<Record<string, Names>>

const file = join(import.meta.dirname, 'names.json')

type Named = { readonly $ref?: string }
type Data = Named & { readonly items?: Named & { readonly anyOf?: readonly Named[] } }

/**
 * Returns the name of the response schema, or null if the operation hasn't launched. If `fields` can trim the rows, returns the name of the full row's schema.
 */
function getRecord({ responses }: Operation): string | null {
  const schema = responses['200']?.content?.['application/json']?.schema as { readonly properties: { readonly data: Data } } | undefined
  const { $ref, items } = schema?.properties.data ?? {}
  return ($ref ?? items?.$ref ?? items?.anyOf?.[0]?.$ref)?.split('/').at(-1) ?? null
}

async function namesOfToday(): Promise<Pinned> {
  const sample = new MarketView({ providers: [], products: [], cards: [] })
  const facts = { publicUrl: 'https://api.example.test', sample, overrides: new Map(), licence: 'v2026-09', deprecation: null, sunset: null }
  const document = (await openApiDocument(facts)) as OpenApi
  return Object.fromEntries(
    getOperations(document).map(({ method, path, operation }) => [`${method} ${path}`, { operation: operation.operationId, record: getRecord(operation) }]),
  )
}

const present = await namesOfToday()
const readNames = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as Pinned

/** An endpoint that hasn't launched has no response schema name (`record`); it gets one at launch. */
const keeps = (was: Names, is: Names | undefined) => was.operation === is?.operation && (was.record === null || was.record === is.record)

const brokenIn = (names: Pinned) => Object.entries(names).filter(([call, was]) => !keeps(was, present[call]))

if (process.env['SVC_WRITE_PINS'] === '1' && brokenIn(readNames()).length === 0) {
  writeFileSync(file, JSON.stringify({ ...readNames(), ...present }))
  execFileSync(join(import.meta.dirname, '../../node_modules/.bin/biome'), ['format', '--write', file])
}

const promised = readNames()

test('operations and records keep their names in generated clients', () => {
  expect(Object.keys(promised).length).toBeGreaterThanOrEqual(39)
  expect(brokenIn(promised).map(([call, was]) => [call, was, present[call]])).toEqual([])
})

test('operation names are unique', () => {
  const names = Object.values(present).map(({ operation }) => operation)
  expect(new Set(names).size).toBe(names.length)
})
