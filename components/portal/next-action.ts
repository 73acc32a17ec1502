type Standing = { readonly balanceCredits: number; readonly daysLeft: number | null }

/** Days that are few enough to think of topping up. */
const fewDays = 7

/** The one thing that an account most likely wants to do next. */
export function nextAction({ balanceCredits, daysLeft }: Standing): { href: string; name: string } {
  const isLow = balanceCredits <= 0 || (daysLeft !== null && daysLeft < fewDays)
  return isLow ? { href: '/portal/billing/top-up', name: 'Top up' } : { href: '/portal/keys/new', name: 'Create key' }
}
