/**
 * A whole number of hundredths as the two-decimal text that callers read: 450 hundredths of a percent is `4.50`, 1999 pence are `19.99`.
 * All rates and amounts are kept as whole hundredths inside the service, never as floats.
 */
export function twoDecimals(hundredths: number): string {
  const size = Math.abs(hundredths)
  return `${hundredths < 0 ? '-' : ''}${Math.floor(size / 100)}.${String(size % 100).padStart(2, '0')}`
}
