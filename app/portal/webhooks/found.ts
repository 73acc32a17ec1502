import { notFound } from 'next/navigation'
import { RefusedError } from '../../../server/contract/errors.ts'
import { causeOf } from '../../../server/trpc/portal-fault.ts'

/** What was asked for, or the page that says that there is none: also for accounts without webhooks. */
export async function found<Data>(work: Promise<Data>): Promise<Data> {
  try {
    return await work
  } catch (error) {
    const cause = error instanceof Error ? causeOf(error) : null
    if (cause instanceof RefusedError && ['not_found', 'webhooks_not_enabled'].includes(cause.refusal.code)) notFound()
    throw error
  }
}
