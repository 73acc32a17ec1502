/** Thresholds for manual review of a rate, in hundredths of a percent. Shown next to the rates they flag. */

/** Margin above Bank Rate that is implausible. Regular savers pay higher teaser rates on small balances. */
export const aboveBankRateBp = { regularSaver: 700, other: 300 } as const

/** A rate change of at least this size within this many days is more likely to be a misplaced digit than real. */
export const suddenMove = { leastBp: 150, days: 7 } as const

/** Maximum rows shown of each kind; further rows are only counted. */
export const maxShown = 50
