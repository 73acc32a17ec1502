import { type Availability, defaultLimit } from '#server/api/contract/endpoint.ts'
import { describePrice, type Price } from '#server/api/contract/prices.ts'
import { allows } from '#server/api/contract/scopes.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import { getInputSchema, getOutputSchema, type ToolSchema } from './tool-schemas.ts'

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
  const upTo = price.per === 'row' ? `, so up to ${price.credits * defaultLimit} by default; change it with \`limit\`` : ''
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

let made: readonly Tool[] | null = null

/** Returns every endpoint as a tool, in registry order. Built on first use. */
function tools(): readonly Tool[] {
  made ??= registry.map((endpoint) => ({ endpoint, card: getCard(endpoint) }))
  return made
}

type Shown = {
  readonly scopes: ReadonlySet<string>
  readonly overrides: ReadonlyMap<string, Availability>
  /** Returns the refusal for calls of the endpoint, or null. */
  readonly getRefusal: (endpoint: Entry) => { readonly message: string } | null
}

/**
 * Returns the tools listed for a key, callable ones first. Omits tools whose scope the key lacks, because scopes of a key never change. Tools that its plan or
 * mode excludes, or that are not launched yet, come last, with the reason in their description.
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
