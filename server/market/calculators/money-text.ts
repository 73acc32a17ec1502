/** Formats whole pence as pounds with two decimals: 1999n is `19.99`. For sums beyond `Number.MAX_SAFE_INTEGER`. */
export function moneyText(pence: bigint): string {
  return `${pence / 100n}.${String(pence % 100n).padStart(2, '0')}`
}
