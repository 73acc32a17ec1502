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

/** Credits that an account gets once, when its email is confirmed. */
export const starterCredits = 20

export type Limits = { perMinute: number; perDay: number }

/** Returns the effective limits: the account's overrides, else the limits of its plan. */
export function getLimits(plan: Plan, own: { perMinute: number | null; perDay: number | null }): Limits {
  return { perMinute: own.perMinute ?? plans[plan].perMinute, perDay: own.perDay ?? plans[plan].perDay }
}
