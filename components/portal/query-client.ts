import { defaultShouldDehydrateQuery, QueryCache, QueryClient } from '@tanstack/react-query'
import { isTRPCClientError } from '@trpc/client'
import superjson from 'superjson'
import type { PortalRouter } from '#server/trpc/root.ts'

/** Whether a question was refused because nobody is signed in any more. Asking again would change nothing. */
export const saysSignedOut = (error: Error): boolean => isTRPCClientError<PortalRouter>(error) && error.data?.code === 'UNAUTHORIZED'

/** Hears what came of each question. */
type Heard = { readonly onSuccess: () => void; readonly onError: (error: Error) => void }

/** Data of a page stay while they are read again, and what the server put into the page is not asked for at once. */
export function newQueryClient(heard?: Heard): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache(heard),
    defaultOptions: {
      queries: { staleTime: 10_000, retry: (failures, error) => failures < 1 && !saysSignedOut(error) },
      dehydrate: { serializeData: superjson.serialize, shouldDehydrateQuery: defaultShouldDehydrateQuery },
      hydrate: { deserializeData: superjson.deserialize },
    },
  })
}
