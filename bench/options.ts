import { parseArgs } from 'node:util'

export type Options = {
  readonly rounds: number
  readonly seconds: number
  readonly warmUpSeconds: number
  /** How often a sample is taken at most while other programs disturb it. */
  readonly attempts: number
  /** Also on a database with 10 million log rows. */
  readonly full: boolean
  readonly quick: boolean
  /** Only cases whose id contains this; empty: all. */
  readonly only: string
}

/** @throws when a flag is not known. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: { quick: { type: 'boolean', default: false }, full: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
  })
  const { quick, full, only } = values
  return quick
    ? { quick, full, only, rounds: 1, seconds: 1.5, warmUpSeconds: 0.5, attempts: 1 }
    : { quick, full, only, rounds: 3, seconds: 3, warmUpSeconds: 0.5, attempts: 2 }
}
