/** Plans and their limits for live keys: requests per UTC minute and key, and requests per UTC day and account. */
export const plans = {
  hobby: { label: 'Hobby', perMinute: 60, perDay: 1_000 },
  business: { label: 'Business', perMinute: 300, perDay: 20_000 },
  enterprise: { label: 'Enterprise', perMinute: 600, perDay: 100_000 },
} as const satisfies Record<string, { label: string; perMinute: number; perDay: number }>

export type Plan = keyof typeof plans

export const planNames = Object.keys(plans) as [Plan, ...Plan[]]

/** True if `plan` is `needed` or higher. Plans are in ascending order; each includes the ones before it. */
export function includesPlan(plan: Plan, needed: Plan): boolean {
  return planNames.indexOf(plan) >= planNames.indexOf(needed)
}

/** Requests per minute for a test key, on every plan. */
export const testKeyPerMinute = 10

/** States when live keys start to work. The portal gives the same review time. */
export const approvalNote = 'Live keys work after we approve your account. Reviews usually take one working day.'

/** Short form of `approvalNote`, for places that give the review time elsewhere. */
export const shortApprovalNote = 'Live keys work once we approve your account.'

/** States when a new account gets its test key. */
export const testKeyNote = 'Confirm your email to get a test key with sample data.'

/** Credits that an account gets once, when its email is confirmed. */
export const starterCredits = 20

export type Limits = { perMinute: number; perDay: number }

/** Returns the effective limits: the account's overrides, else the limits of its plan. */
export function getLimits(plan: Plan, own: { perMinute: number | null; perDay: number | null }): Limits {
  return { perMinute: own.perMinute ?? plans[plan].perMinute, perDay: own.perDay ?? plans[plan].perDay }
}

/**
 * Scopes of a key. `assistant` is for the assistant endpoint, which hasn't launched. `account:manage` is only granted by name: neither "all scopes" nor the
 * default choices include it.
 */
export const scopes = {
  'rates:read': 'Savings rates, products, reference lists of products and account types, calculators',
  'history:read': 'Rate change history and rate trends',
  'providers:read': 'Providers, service quality, FSCS groups and provider logos',
  'offers:read': 'Switch offers and account offers',
  'cards:read': 'Reward and travel cards, currencies and exchange rates',
  'market:read': 'Market statistics and exchange rates',
  assistant: 'The assistant, once it launches',
  'account:manage': 'Usage of all keys, and management of webhooks and alerts. Only for servers that you trust with the account',
} as const satisfies Record<string, string>

export type Scope = keyof typeof scopes

export const scopeNames = Object.keys(scopes) as [Scope, ...Scope[]]

/** Scope for managing the account. */
export const manageScope = 'account:manage' satisfies Scope

/** Every scope except the one for managing the account; granted when all scopes are requested. */
export const dataScopes = scopeNames.filter((scope) => scope !== manageScope)

/** Scope requirement of a call: one scope, any one of several, or just a valid key. */
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
