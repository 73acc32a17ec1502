/** Whole pence as the two-decimal text that callers read, for sums that may pass what a number holds exactly: 1999n is `19.99`. */
export function moneyText(pence: bigint): string {
  return `${pence / 100n}.${String(pence % 100n).padStart(2, '0')}`
}
