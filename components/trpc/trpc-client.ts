import { createTRPCClient, httpBatchLink } from '@trpc/client'
import { maxRequests } from '#server/api/contract/request-bounds.ts'
import { accountHeader } from '#server/api/contract/teams.ts'
import type { AppRouter } from '#server/trpc/root.ts'
import { transformer } from '#server/trpc/transformer.ts'

const callTimeoutMs = 15_000

/** Fetches with a timeout, so that the page can report a hanging call. */
const fetchWithTimeout: typeof fetch = (input, init) =>
  fetch(input, { ...init, signal: AbortSignal.any([AbortSignal.timeout(callTimeoutMs), ...(init?.signal ? [init.signal] : [])]) })

/**
 * Creates a client that calls the portal's procedures in batches. With `isPost`, it also sends queries as POST. With `account`, calls fail once the session
 * shows another account.
 */
export const newTRPCClient = (isPost = false, account?: string) =>
  createTRPCClient<AppRouter>({
    links: [
      httpBatchLink({
        url: '/api/trpc',
        transformer,
        maxItems: maxRequests,
        fetch: fetchWithTimeout as never,
        ...(account === undefined ? {} : { headers: { [accountHeader]: account } }),
        ...(isPost ? { methodOverride: 'POST' } : {}),
      }),
    ],
  })
