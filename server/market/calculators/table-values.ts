import { toHundredths } from '../decimal.ts'

/** Parses a rate of a data table, such as `20.00`, into hundredths of a percent. Throws if it is invalid: the tables ship with the code. */
export function rateBp(text: string): number {
  const hundredths = toHundredths(text)
  if (hundredths === undefined) throw new Error(`Invalid rate "${text}" in a data table: expected two decimals.`)
  return hundredths
}

/** Converts whole pounds of a data table to pence. */
export const wholePounds = (pounds: number): number => pounds * 100
