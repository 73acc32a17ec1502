import type { z } from 'zod'
import { type Entry, recordName } from './names.ts'

const made = new Map<z.ZodType, z.ZodType>()

/** What is left of a row when `fields` names some of its fields: any of them, and at least one. Null where `fields` is no parameter. */
export function trimmedRow(entry: Entry): z.ZodType | null {
  if (entry.fields.length === 0) return null
  const known = made.get(entry.output)
  if (known) return known
  const trimmed = (entry.output as z.ZodObject).partial().meta({
    description: `What is left of a ${recordName(entry)} when \`fields\` names some of its fields: these and no others.`,
    minProperties: 1,
  })
  made.set(entry.output, trimmed)
  return trimmed
}
