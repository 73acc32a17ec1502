import { parseArgs } from 'node:util'

export type Options = {
  readonly rounds: number
  readonly seconds: number
  readonly warmUpSeconds: number
  /** How often a sample is taken at most while other programs disturb it. */
  readonly attempts: number
  /** Ends the run between two samples, so that everything that was started is stopped. */
  readonly signal: AbortSignal
  /** Also on a database with 10 million log rows. */
  readonly full: boolean
  readonly quick: boolean
  /** Only cases whose id contains one of these, parted by commas; empty: all. */
  readonly only: string
}

/** @throws when a flag is not known. */
export function readOptions(args: readonly string[], signal: AbortSignal): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      calm: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
    },
  })
  const { quick, full, calm, only } = values
  // Many short rounds: a median of seven stands more than one of three, and a round that takes less time sees less of how the machine wanders.
  const size = { seconds: 1.5, warmUpSeconds: 0.5, rounds: quick ? 1 : 7 }
  return { quick, full, only, signal, ...size, attempts: calm ? 4 : 1 }
}
