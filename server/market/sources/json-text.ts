import { SourceError } from './source.ts'

type ExactParse = (text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown) => unknown

/** Parses JSON with every number as its original digits: as a JavaScript number, a rate would be rounded to binary. */
export function parseExact(text: string): unknown {
  try {
    return (JSON.parse as ExactParse)(text, (_key, value, { source }) => (typeof value === 'number' ? (source ?? String(value)) : value))
  } catch (cause) {
    throw new SourceError('The response is not valid JSON or was truncated.', undefined, { cause })
  }
}
