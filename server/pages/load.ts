import { causeOf, FailureError } from '#server/trpc/portal-fault.ts'

/** What a part of a page is made of, or the reference of the failure that it shows instead: one part that fails leaves the others standing. */
export type Loaded<Data> = { readonly data: Data; readonly reference: null } | { readonly data: null; readonly reference: string }

export async function loaded<Data>(work: Promise<Data>): Promise<Loaded<Data>> {
  try {
    return { data: await work, reference: null }
  } catch (error) {
    const cause = error instanceof Error ? causeOf(error) : null
    if (cause instanceof FailureError) return { data: null, reference: cause.reference }
    throw error
  }
}
