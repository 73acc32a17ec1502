import { expect } from 'vitest'
import { type ErrorCode, portalErrors } from '#server/api/contract/errors.ts'
import { operationPath } from '#server/api/documents/reference/operation-groups.ts'
import { allEndpoints } from '#server/api/endpoints/registry.ts'
import type { Json, OpenApi } from '../../published/support/open-api.ts'
import { Validator } from '../../published/support/validator.ts'
import type { CodeBlock } from './docs-text.ts'

type Shown = { readonly error?: ErrorCode; readonly type?: string }

/** Returns the published schema for a JSON block on a page; null if it is not an API message. */
function getSchema(document: OpenApi, { path }: CodeBlock, shown: Shown): Json | null {
  if (shown.error !== undefined) {
    const schemas = Object.values(document.components.schemas)
    return schemas.find(({ properties }) => (properties as { error?: { const?: string } } | undefined)?.error?.const === shown.error) ?? null
  }
  if (shown.type !== undefined) return document.webhooks[shown.type]?.post.requestBody?.content['application/json'].schema ?? null
  const entry = allEndpoints.find((one) => operationPath(one) === path)
  return entry ? (document.paths[entry.path]?.[entry.method.toLowerCase()]?.responses['200']?.content?.['application/json'].schema ?? null) : null
}

/** Validates every JSON block that shows an API message against the published document, and returns the others. */
export function checkMessages(document: OpenApi, blocks: readonly CodeBlock[]): CodeBlock[] {
  const validator = new Validator(document)
  return blocks.filter((block) => {
    const shown = JSON.parse(block.code) as Shown
    if (shown.error !== undefined && portalErrors.has(shown.error)) {
      // Only the portal returns these errors, so the document has no schema for them. They have only the four common fields.
      expect(Object.keys(shown), block.path).toEqual(['error', 'message', 'requestId', 'docs'])
      return false
    }
    const schema = getSchema(document, block, shown)
    if (schema === null) return true
    validator.expectValid(shown, schema, `${block.path}: ${block.code}`)
    return false
  })
}
