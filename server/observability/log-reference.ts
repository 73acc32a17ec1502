import { randomBase62 } from '#server/ids.ts'

const referenceLength = 10

/** Returns a random reference that identifies one failure in the log. */
export const newReference = (): string => randomBase62(referenceLength)

/**
 * Attaches the reference shown on error pages to an error. Next reads it as `digest`; without one, Next derives a digest from the error itself, so identical
 * errors would share it.
 */
export function withReference<Failure extends Error>(error: Failure, reference = newReference()): Failure {
  return 'digest' in error ? error : Object.assign(error, { digest: reference })
}

/** Returns the reference of an error; null if it has none. */
export function getReference(error: Error): string | null {
  const digest: unknown = Reflect.get(error, 'digest')
  return typeof digest === 'string' ? digest : null
}
