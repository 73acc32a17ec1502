import { type Availability, defaultLimit } from '#server/api/contract/endpoint.ts'
import { describePrice, type Price } from '#server/api/contract/prices.ts'
import { allows } from '#server/api/contract/scopes.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import { inputSchemaOf, outputSchemaOf, type ToolSchema } from './tool-schemas.ts'

type Entry = (typeof registry)[number]

/** An endpoint as a tool client is shown it. */
export type ToolCard = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ToolSchema
  readonly outputSchema: ToolSchema
  readonly annotations: { readonly title: string; readonly readOnlyHint: true; readonly idempotentHint: false; readonly openWorldHint: false }
}

type Tool = { readonly endpoint: Entry; readonly card: ToolCard }

/** `List savings products` from `List savings products, best rate first.` */
function titleOf(summary: string): string {
  return summary.split(/[,:.](?:\s|$)/, 1)[0] ?? summary
}

function costOf(price: Price): string {
  if (price.credits === 0) return 'Free.'
  const most = price.per === 'row' ? `, so up to ${price.credits * defaultLimit} unless you set \`limit\`` : ''
  return `Costs ${describePrice(price)}${most}. Errors, and every call with a test key, are free.`
}

function cardOf(endpoint: Entry): ToolCard {
  const { tool: name, summary, description, when, price } = endpoint
  const title = titleOf(summary)
  const words = [summary, when === undefined ? undefined : `Use it ${when}`, description, costOf(price)]
  return {
    name,
    title,
    description: words.filter((part) => part !== undefined).join(' '),
    inputSchema: inputSchemaOf(endpoint),
    outputSchema: outputSchemaOf(endpoint),
    // A call reads only, but it is charged, so the same call twice is not the same as once.
    annotations: { title, readOnlyHint: true, idempotentHint: false, openWorldHint: false },
  }
}

let made: readonly Tool[] | null = null

/** Every endpoint of the registry as a tool, in the order of the registry. Worked out when a tool client first asks. */
function tools(): readonly Tool[] {
  made ??= registry.map((endpoint) => ({ endpoint, card: cardOf(endpoint) }))
  return made
}

type Shown = {
  readonly scopes: ReadonlySet<string>
  readonly overrides: ReadonlyMap<string, Availability>
  /** Why a call of the endpoint would be refused, or null. */
  readonly refusalOf: (endpoint: Entry) => { readonly message: string } | null
}

/**
 * The tools that a key is shown: those that it can call first. Tools of a scope that it lacks are left out, because no day brings them; what its
 * plan or its mode shuts out, or what is not launched yet, stands at the end and says why.
 */
export function toolsFor({ scopes, overrides, refusalOf }: Shown): ToolCard[] {
  const shown = tools().filter(({ endpoint }) => (overrides.get(endpoint.id) ?? endpoint.live) !== 'coming-soon' && allows(scopes, endpoint.scope))
  const told = shown.map(({ endpoint, card }) => ({ card, refusal: refusalOf(endpoint) }))
  const callable = told.flatMap(({ card, refusal }) => (refusal === null ? [card] : []))
  const others = told.flatMap(({ card, refusal }) =>
    refusal === null ? [] : [{ ...card, description: `${card.description} Not callable with this key: ${refusal.message}` }],
  )
  return [...callable, ...others]
}
