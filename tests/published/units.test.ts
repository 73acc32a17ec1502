import { expect, test } from 'vitest'
import { z } from 'zod'
import { allEndpoints } from '#server/api/endpoints/registry.ts'

type Schema = {
  readonly type?: string
  readonly pattern?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

type Field = { readonly path: string; readonly description: string; readonly pattern: string; readonly examples: readonly unknown[] }

/** Returns every field with two decimals. If a schema has alternatives, an alternative without a description gets the field's description. */
function decimals(path: string, schema: Schema, description = schema.description ?? ''): Field[] {
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((part) => decimals(path, part, part.description ?? description))
  const items = schema.items === undefined ? [] : decimals(`${path}[]`, schema.items, schema.items.description ?? description)
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => decimals(`${path}.${name}`, field))
  const isDecimal = schema.pattern?.includes('\\.\\d\\d') ?? false
  const own = isDecimal ? [{ path, description, pattern: schema.pattern ?? '', examples: schema.examples ?? [] }] : []
  return [...own, ...parts, ...items, ...fields]
}

const answers = allEndpoints.flatMap(({ id, output }) => decimals(id, z.toJSONSchema(output) as Schema))

test('every amount and rate field documents its unit', () => {
  expect(answers.length).toBeGreaterThan(100)
  expect(answers.filter(({ description }) => !/GBP|percent|point/i.test(description)).map(({ path, description }) => `${path}: ${description}`)).toEqual([])
})

test('every field example matches the pattern of its field', () => {
  const shown = answers.filter(({ examples }) => examples.length > 0)
  expect(shown.length).toBeGreaterThan(50)
  for (const { path, pattern, examples } of shown) for (const example of examples) expect([path, example]).toEqual([path, expect.stringMatching(pattern)])
})
