/**
 * Formats a whole number of hundredths with two decimals: 450 hundredths of a percent is `4.50`, 1999 pence is `19.99`.
 * The service stores all rates and amounts as whole hundredths, never as floats.
 */
export function twoDecimals(hundredths: number): string {
  const size = Math.abs(hundredths)
  return `${hundredths < 0 ? '-' : ''}${Math.floor(size / 100)}.${String(size % 100).padStart(2, '0')}`
}
