import { ZodError } from 'zod'
import { RefusedError } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { FailureError, getCause } from '#server/trpc/portal-fault.ts'

/** Data of a page section, or the log reference of its failure. A failed section doesn't break the others. */
export type Loaded<Data> = { readonly data: Data; readonly reference: null } | { readonly data: null; readonly reference: string }

export async function loaded<Data>(work: Promise<Data>): Promise<Loaded<Data>> {
  try {
    return { data: await work, reference: null }
  } catch (error) {
    const cause = error instanceof Error ? getCause(error) : null
    if (cause instanceof FailureError) return { data: null, reference: cause.reference }
    throw error
  }
}

const hidden: ReadonlySet<string> = new Set(['not_found', 'webhooks_not_enabled'])

/** Looks up an entity by its id. Resolves with null if the id is malformed or unknown, or if the account has no access. */
export async function found<Thing>(read: Promise<Thing>): Promise<Thing | null> {
  try {
    return await read
  } catch (error) {
    const cause = error instanceof Error ? getCause(error) : null
    // A field error means that the id contains an invalid character, which is possible because Next decodes percent-encoding in the path.
    if (cause instanceof ZodError || cause instanceof FieldsError || (cause instanceof RefusedError && hidden.has(cause.refusal.code))) return null
    throw error
  }
}
