import { notFound } from 'next/navigation'
import { ZodError } from 'zod'
import { RefusedError } from '../../server/contract/errors.ts'
import { causeOf } from '../../server/trpc/portal-fault.ts'

/** A thing that an address names, or the page that says that there is none: also when what the address holds is no id at all. */
export async function found<Thing>(read: Promise<Thing>): Promise<Thing> {
  try {
    return await read
  } catch (error) {
    const cause = error instanceof Error ? causeOf(error) : null
    if (cause instanceof ZodError || (cause instanceof RefusedError && cause.refusal.code === 'not_found')) notFound()
    throw error
  }
}
