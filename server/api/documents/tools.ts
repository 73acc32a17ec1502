import { z } from 'zod'
import { allows } from '#server/api/contract/access.ts'
import { type Availability, defaultLimit, type Endpoint, maximumLimit } from '#server/api/contract/endpoint.ts'
import { Meta } from '#server/api/contract/envelope.ts'
import { describePrice, type Price } from '#server/api/contract/price-kinds.ts'
import { parameterLabels, parameterSchema } from '#server/api/contract/query.ts'
import { registry } from '#server/api/endpoints/registry.ts'

/** JSON Schema (2020-12) of an object. */
type ToolSchema = { type: 'object'; properties: Record<string, object>; required?: string[]; additionalProperties?: boolean }

type ShownEndpoint = Pick<Endpoint<never>, 'kind' | 'input' | 'output' | 'fields'>

/** Returns the documented schema of a parameter with its description. */
function argument(schema: z.ZodType): object {
  const description = parameterLabels(schema)
  return { ...parameterSchema(schema), ...(description === '' ? {} : { description }) }
}

/**
 * Arguments that every paginated list has in addition to `fields` and those it declares. `limit` has no maximum, because larger values are reduced, not
 * rejected.
 */
const paging: Readonly<Record<string, object>> = {
  limit: {
    type: 'integer',
    minimum: 1,
    default: defaultLimit,
    description: `Rows to return. Default ${defaultLimit}; values above ${maximumLimit} are reduced to ${maximumLimit}.`,
  },
  cursor: { type: 'string', minLength: 1, description: 'meta.nextCursor of the previous page. Keep the filters the same.' },
}

const trimming = (fields: readonly string[]): Record<string, object> => ({
  fields: { type: 'array', items: { type: 'string', enum: fields }, minItems: 1, description: 'Fields to return in each row. Defaults to all.' },
})

/** Returns the input schema of a tool: path and query parameters by name. */
function getInputSchema({ kind, input, fields }: ShownEndpoint): ToolSchema {
  const shape = Object.entries(input.shape as Record<string, z.ZodType>)
  const required = shape.filter(([, schema]) => !schema.safeParse(undefined).success).map(([name]) => name)
  const own = Object.fromEntries(shape.map(([name, schema]) => [name, argument(schema)]))
  const properties = { ...own, ...(kind === 'list' ? paging : {}), ...(fields.length > 0 ? trimming(fields) : {}) }
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }), additionalProperties: false }
}

type Node = Record<string, unknown>

/**
 * Removes what Zod adds by default: `additionalProperties`, because fields can be added within a version; the long patterns of dates and times, which repeat
 * their format; `base64`, which is not a standard format; and the bounds of JavaScript integers.
 */
function loosen(node: Node): void {
  delete node['additionalProperties']
  if (node['format'] === 'date-time' || node['format'] === 'date') delete node['pattern']
  if (node['format'] === 'base64') delete node['format']
  if (node['maximum'] === Number.MAX_SAFE_INTEGER) delete node['maximum']
  if (node['minimum'] === Number.MIN_SAFE_INTEGER) delete node['minimum']
}

/** Replaces lists of types by `anyOf` everywhere in a schema, because some models reject tools whose schemas have such lists. */
function splitTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(splitTypes)
  if (typeof value !== 'object' || value === null) return value
  const node = Object.fromEntries(Object.entries(value).map(([keyword, part]) => [keyword, splitTypes(part)]))
  const { type, description, ...keywords } = node
  if (!Array.isArray(type)) return node
  // Every keyword but the description moves into the alternatives.
  return { ...(description === undefined ? {} : { description }), anyOf: type.map((one) => (one === 'null' ? { type: one } : { type: one, ...keywords })) }
}

function getSchema(type: z.ZodType): Node {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(type, {
    io: 'output',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => loosen(jsonSchema as Node),
  })
  return splitTypes(schema) as Node
}

/** Returns the schema of `structuredContent`. If a list accepts `fields`, which trims rows, no field of a row is required. */
function getOutputSchema({ kind, output, fields }: ShownEndpoint): ToolSchema {
  const { required: _all, ...trimmed } = getSchema(output)
  const rows = { type: 'array', items: fields.length > 0 ? trimmed : getSchema(output) }
  const data = kind === 'list' || kind === 'whole' ? rows : getSchema(output)
  const meta = getSchema(kind === 'item' ? Meta.omit({ limit: true, nextCursor: true }) : Meta)
  return { type: 'object', properties: { data, meta }, required: ['data', 'meta'] }
}

type Entry = (typeof registry)[number]

/** MCP tool definition of an endpoint. */
export type ToolCard = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ToolSchema
  readonly outputSchema: ToolSchema
  readonly annotations: { readonly title: string; readonly readOnlyHint: true; readonly idempotentHint: false; readonly openWorldHint: false }
}

type Tool = { readonly endpoint: Entry; readonly card: ToolCard }

/** Shortens a summary to a title: `List savings products, best rate first.` becomes `List savings products`. */
function getTitle(summary: string): string {
  return summary.split(/[,:.](?:\s|$)/, 1)[0] ?? summary
}

function getCost(price: Price): string {
  if (price.credits === 0) return 'Free.'
  const upTo = price.per === 'row' ? `, so up to ${price.credits * defaultLimit} by default; set \`limit\` to change the number of rows` : ''
  return `Costs ${describePrice(price)}${upTo}. Errors and all calls with a test key are free.`
}

function getCard(endpoint: Entry): ToolCard {
  const { tool: name, summary, description, when, price } = endpoint
  const title = getTitle(summary)
  const parts = [summary, when === undefined ? undefined : `Use it ${when}`, description, getCost(price)]
  return {
    name,
    title,
    description: parts.filter((part) => part !== undefined).join(' '),
    inputSchema: getInputSchema(endpoint),
    outputSchema: getOutputSchema(endpoint),
    // Calls are read-only, but every call is charged, so they are not idempotent.
    annotations: { title, readOnlyHint: true, idempotentHint: false, openWorldHint: false },
  }
}

let cachedTools: readonly Tool[] | null = null

/** Returns every endpoint as a tool, in registry order. Built on first use. */
function tools(): readonly Tool[] {
  cachedTools ??= registry.map((endpoint) => ({ endpoint, card: getCard(endpoint) }))
  return cachedTools
}

type Shown = {
  readonly scopes: ReadonlySet<string>
  readonly overrides: ReadonlyMap<string, Availability>
  /** Returns the error that a call to this endpoint would get, or null if it is allowed. */
  readonly getRefusal: (endpoint: Entry) => { readonly message: string } | null
}

/**
 * Returns the tools listed for a key, callable ones first. Omits tools that haven't launched and tools outside the key's scopes, which never change. Tools that
 * the key's plan or mode excludes come last, with the reason in their description.
 */
export function toolsFor({ scopes, overrides, getRefusal }: Shown): ToolCard[] {
  const shown = tools().filter(({ endpoint }) => (overrides.get(endpoint.id) ?? endpoint.live) !== 'coming-soon' && allows(scopes, endpoint.scope))
  const listed = shown.map(({ endpoint, card }) => ({ card, refusal: getRefusal(endpoint) }))
  const callable = listed.flatMap(({ card, refusal }) => (refusal === null ? [card] : []))
  const others = listed.flatMap(({ card, refusal }) =>
    refusal === null ? [] : [{ ...card, description: `${card.description} Not callable with this key: ${refusal.message}` }],
  )
  return [...callable, ...others]
}
