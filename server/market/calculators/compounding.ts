/** How often interest is credited in a simulation. */
export const compoundings = ['daily', 'monthly', 'quarterly', 'half-yearly', 'annually', 'maturity'] as const

export type Compounding = (typeof compoundings)[number]

/**
 * Months between credits; null: once, at the end of the term. Interest that is paid daily is credited month by month: the AER already counts
 * the compounding within the month, and months of a twelfth of a year have no whole days.
 */
export const monthsBetweenCredits: Readonly<Record<Compounding, number | null>> = {
  daily: 1,
  monthly: 1,
  quarterly: 3,
  'half-yearly': 6,
  annually: 12,
  maturity: null,
}

const labels: Readonly<Record<string, Compounding>> = {
  Daily: 'daily',
  Monthly: 'monthly',
  Quarterly: 'quarterly',
  'Half-yearly': 'half-yearly',
  Annually: 'annually',
  'At maturity': 'maturity',
}

/** What a product's `interestPaid` means; undefined for a label that no feed may carry. */
export function compoundingOf(interestPaid: string): Compounding | undefined {
  return Object.hasOwn(labels, interestPaid) ? labels[interestPaid] : undefined
}
