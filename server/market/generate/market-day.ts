/** Default last day of a generated history. */
export const marketDay = '2026-11-20'
