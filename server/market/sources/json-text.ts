import { SourceError } from './source.ts'

type ExactParse = (text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown) => unknown

/** JSON with every number as the digits that stand in the text: as a JavaScript number a rate would become a binary fraction. */
export function parseExact(text: string): unknown {
  try {
    return (JSON.parse as ExactParse)(text, (_key, value, { source }) => (typeof value === 'number' ? (source ?? String(value)) : value))
  } catch (cause) {
    throw new SourceError('The answer is not JSON, or was cut off.', undefined, { cause })
  }
}
