import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import type { Json, OpenApi } from './open-api.ts'

const components = 'components.json'

/**
 * Closes a schema, so that undocumented fields fail. The document leaves schemas open for later additions, but the tests must match exactly. References are
 * resolved to the components, which are registered once.
 */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict)
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, strict(part)]))
  if (typeof parts['$ref'] === 'string') return { ...parts, $ref: components + parts['$ref'] }
  const isOpen = parts['type'] === 'object' && parts['properties'] !== undefined && parts['additionalProperties'] === undefined
  return isOpen ? { ...parts, additionalProperties: false } : parts
}

/** Validates values against schemas of the document (OpenAPI 3.1 dialect). */
export class Validator {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true })
  private readonly compiled = new Map<Json, ValidateFunction>()

  constructor(document: OpenApi) {
    addFormats.default(this.ajv)
    this.ajv.addSchema({ $id: components, components: strict(document.components) })
  }

  expectValid(value: unknown, schema: Json, what: string): void {
    let validate = this.compiled.get(schema)
    if (!validate) {
      validate = this.ajv.compile(strict(schema) as Json)
      this.compiled.set(schema, validate)
    }
    validate(value)
    expect(validate.errors ?? [], what).toEqual([])
  }
}
