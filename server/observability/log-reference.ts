import { randomBase62 } from '#server/ids.ts'

const referenceLength = 10

/** A word that finds one failure in the log, and no other. */
export const newReference = (): string => randomBase62(referenceLength)

/**
 * Gives an error the reference that pages show for it. Next reads it as `digest`; by itself it makes one up from what the error says, so that all that fail alike
 * have the same.
 */
export function withReference<Failure extends Error>(error: Failure, reference = newReference()): Failure {
  return 'digest' in error ? error : Object.assign(error, { digest: reference })
}

/** The reference of something that failed, for whoever looks for it; null when it has none. */
export function referenceOf(error: Error): string | null {
  const digest: unknown = Reflect.get(error, 'digest')
  return typeof digest === 'string' ? digest : null
}
