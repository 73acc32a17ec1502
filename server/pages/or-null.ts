import { ZodError } from 'zod'
import { RefusedError } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { getCause } from '#server/trpc/portal-fault.ts'

const hidden: ReadonlySet<string> = new Set(['not_found', 'webhooks_not_enabled'])

/** Returns an entity by its id, or null if the id is malformed or unknown, or the account has no access. */
export async function found<Thing>(read: Promise<Thing>): Promise<Thing | null> {
  try {
    return await read
  } catch (error) {
    const cause = error instanceof Error ? getCause(error) : null
    // A field error means that the id contains an invalid character: Next decodes the path.
    if (cause instanceof ZodError || cause instanceof FieldsError || (cause instanceof RefusedError && hidden.has(cause.refusal.code))) return null
    throw error
  }
}
