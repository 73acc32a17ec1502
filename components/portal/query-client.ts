import { defaultShouldDehydrateQuery, QueryCache, QueryClient } from '@tanstack/react-query'
import superjson from 'superjson'

/** Hears what came of each question. */
type Heard = { readonly onSuccess: () => void; readonly onError: (error: Error) => void }

/** Data of a page stay while they are read again, and what the server put into the page is not asked for at once. */
export function newQueryClient(heard?: Heard): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache(heard),
    defaultOptions: {
      queries: { staleTime: 10_000, retry: 1 },
      dehydrate: { serializeData: superjson.serialize, shouldDehydrateQuery: defaultShouldDehydrateQuery },
      hydrate: { deserializeData: superjson.deserialize },
    },
  })
}
