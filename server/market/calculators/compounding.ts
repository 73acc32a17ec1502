/** Interest-crediting frequencies. */
export const compoundings = ['daily', 'monthly', 'quarterly', 'half-yearly', 'annually', 'maturity'] as const

export type Compounding = (typeof compoundings)[number]

/**
 * Months between credits; null if interest is credited once, at the end of the term. Interest paid daily is credited monthly: the AER already
 * includes compounding within the month, and a twelfth of a year isn't a whole number of days.
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

/** Maps a product's `interestPaid` label to a frequency. Returns undefined for unknown labels. */
export function toCompounding(interestPaid: string): Compounding | undefined {
  return Object.hasOwn(labels, interestPaid) ? labels[interestPaid] : undefined
}
