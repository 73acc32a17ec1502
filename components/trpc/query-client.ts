import { defaultShouldDehydrateQuery, MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isTRPCClientError } from '@trpc/client'
import superjson from 'superjson'
import type { AppRouter } from '#server/trpc/root.ts'

/** True if a query failed because the session has ended. Retrying would not help. */
export const saysSignedOut = (error: unknown): boolean => isTRPCClientError<AppRouter>(error) && error.data?.code === 'UNAUTHORIZED'

/** Callbacks for the result of every query and mutation. */
type Callbacks = { readonly onSuccess: () => void; readonly onError: (error: Error) => void }

/** Keeps data while it is refetched, and doesn't immediately refetch data that the server rendered into the page. */
export function newQueryClient(callbacks?: Callbacks): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache(callbacks),
    mutationCache: new MutationCache(callbacks),
    defaultOptions: {
      queries: { staleTime: 10_000, retry: (failures, error) => failures < 1 && !saysSignedOut(error) },
      dehydrate: { serializeData: superjson.serialize, shouldDehydrateQuery: defaultShouldDehydrateQuery },
      hydrate: { deserializeData: superjson.deserialize },
    },
  })
}
