import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import { newQueryClient } from '#components/trpc/query-client.ts'
import { newTRPCClient } from '#components/trpc/trpc-client.ts'
import type { AppRouter } from '#server/trpc/root.ts'

/** Cache of a signed-in reader's data on public pages, shared by the header, the phone menu and the API reference, so that everything is requested once. */
export const readerCache = newQueryClient()

/** Queries of a signed-in reader on public pages. Loaded for signed-in readers only. */
export const readerQueries = createTRPCOptionsProxy<AppRouter>({ client: newTRPCClient(), queryClient: readerCache })
