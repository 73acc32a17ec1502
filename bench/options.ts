import { parseArgs } from 'node:util'

export type Options = {
  readonly rounds: number
  readonly seconds: number
  readonly warmUpSeconds: number
  /** Maximum number of attempts for a sample that other programs disturb. */
  readonly attempts: number
  /** Aborted when the user interrupts the run, so that all processes are stopped. */
  readonly signal: AbortSignal
  readonly quick: boolean
  /** Comma-separated substrings of case ids; only matching cases run. If empty, all cases run. */
  readonly only: string
}

/** @throws on an unknown flag. */
export function readOptions(args: readonly string[], signal: AbortSignal): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      calm: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
    },
  })
  const { quick, calm, only } = values
  // Many short rounds: a median of seven is more stable than one of three, and the speed of the machine varies less within a short round.
  const size = { seconds: 1.5, warmUpSeconds: 0.5, rounds: quick ? 1 : 7 }
  return { quick, only, signal, ...size, attempts: calm ? 4 : 1 }
}
