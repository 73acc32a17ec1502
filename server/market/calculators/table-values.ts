import { toHundredths } from '../decimal.ts'

/** A rate of a data table, like `20.00`, in hundredths of a percent. The tables are part of the program, so a faulty one stops it. */
export function rateBp(text: string): number {
  const hundredths = toHundredths(text)
  if (hundredths === undefined) throw new Error(`"${text}" in a data table is not a rate with two decimals.`)
  return hundredths
}

/** Whole pounds of a data table, in pence. */
export const wholePounds = (pounds: number): number => pounds * 100
