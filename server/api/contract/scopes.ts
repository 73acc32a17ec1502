/** Scopes of a key. `assistant` is for the announced assistant endpoint. */
export const scopes = {
  'rates:read': 'Savings rates, products, reference lists of products and account types, calculators',
  'history:read': 'Rate change history and rate trends',
  'providers:read': 'Providers, service quality, FSCS groups and provider logos',
  'offers:read': 'Switch offers and account offers',
  'cards:read': 'Reward and travel cards, currencies and exchange rates',
  'market:read': 'Market statistics and exchange rates',
  assistant: 'The announced assistant',
} as const satisfies Record<string, string>

export type Scope = keyof typeof scopes

export const scopeNames = Object.keys(scopes) as [Scope, ...Scope[]]

/** Scope that a call needs: one scope, any of several, or just a key. */
export type ScopeRule = Scope | readonly Scope[] | 'any-key'

/** True if a key with these scopes satisfies `rule`. */
export function allows(granted: ReadonlySet<string>, rule: ScopeRule): boolean {
  if (rule === 'any-key') return true
  return typeof rule === 'string' ? granted.has(rule) : rule.some((scope) => granted.has(scope))
}

/** Formats the rule for error messages and the price table: `cards:read or market:read`. */
export function describeScope(rule: ScopeRule): string {
  return typeof rule === 'string' ? rule : rule.join(' or ')
}
