import type { z } from 'zod'
import { type Entry, recordName } from './names.ts'

const trimmedSchemas = new Map<z.ZodType, z.ZodType>()

/** Returns the schema of a row trimmed by `fields`: at least one of its fields. Null if the endpoint doesn't accept `fields`. */
export function trimmedRow(entry: Entry): z.ZodType | null {
  if (entry.fields.length === 0) return null
  const known = trimmedSchemas.get(entry.output)
  if (known) return known
  const trimmed = (entry.output as z.ZodObject).partial().meta({
    description: `A ${recordName(entry)} with only the fields named in \`fields\`.`,
    minProperties: 1,
  })
  trimmedSchemas.set(entry.output, trimmed)
  return trimmed
}
