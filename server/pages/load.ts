import { FailureError, getCause } from '#server/trpc/portal-fault.ts'

/** Data of a section of a page, or the reference of its failure: a failing section doesn't break the others. */
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
