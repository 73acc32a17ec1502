type Runway = { readonly balanceCredits: number; readonly daysLeft: number | null }

/** Days left below which a top-up is suggested. */
const lowDays = 7

/** Returns the primary action for an account: top up if credits are running out, else create a key. */
export function nextAction({ balanceCredits, daysLeft }: Runway): { href: string; name: string } {
  const isLow = balanceCredits <= 0 || (daysLeft !== null && daysLeft < lowDays)
  return isLow ? { href: '/portal/billing/top-up', name: 'Top up' } : { href: '/portal/keys/new', name: 'Create key' }
}
