/** Plans and their limits on live keys: requests a UTC minute for each key, requests a UTC day for the account. */
export const plans = {
  hobby: { label: 'Hobby', perMinute: 60, perDay: 1_000 },
  business: { label: 'Business', perMinute: 300, perDay: 20_000 },
  enterprise: { label: 'Enterprise', perMinute: 600, perDay: 100_000 },
} as const satisfies Record<string, { label: string; perMinute: number; perDay: number }>

export type Plan = keyof typeof plans

export const planNames = Object.keys(plans) as [Plan, ...Plan[]]

/** Plans in rising order: a plan includes what every plan before it includes. */
export function includesPlan(plan: Plan, needed: Plan): boolean {
  return planNames.indexOf(plan) >= planNames.indexOf(needed)
}

/** Requests a minute for any test key, whatever the plan. */
export const testKeyPerMinute = 10

/** Credits that an account receives once, when its e-mail is confirmed. */
export const starterCredits = 20

export type Limits = { perMinute: number; perDay: number }

/** The limits in force: the account's own, else its plan's. */
export function limitsOf(plan: Plan, own: { perMinute: number | null; perDay: number | null }): Limits {
  return { perMinute: own.perMinute ?? plans[plan].perMinute, perDay: own.perDay ?? plans[plan].perDay }
}
