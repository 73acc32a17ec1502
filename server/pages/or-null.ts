import { ZodError } from 'zod'
import { RefusedError } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { causeOf } from '#server/trpc/portal-fault.ts'

const hidden: ReadonlySet<string> = new Set(['not_found', 'webhooks_not_enabled'])

/** A thing that an address names, or null: also when what the address holds is no id at all, and for things that the account cannot have. */
export async function found<Thing>(read: Promise<Thing>): Promise<Thing | null> {
  try {
    return await read
  } catch (error) {
    const cause = error instanceof Error ? causeOf(error) : null
    // What is refused as a field is an id with a character that none has: Next hands it on decoded.
    if (cause instanceof ZodError || cause instanceof FieldsError || (cause instanceof RefusedError && hidden.has(cause.refusal.code))) return null
    throw error
  }
}
