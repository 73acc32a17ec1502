import { createFetchHandler } from '#server/api/http/fetch.ts'
import { nextService } from '#server/runtime/next-service.ts'

export const dynamic = 'force-dynamic'

// All calls come here that our own listener hands over (server/runtime/portal.ts); on a host that runs only Next, those that have no path.
const handle = createFetchHandler(nextService)

export { handle as DELETE, handle as GET, handle as HEAD, handle as OPTIONS, handle as PATCH, handle as POST, handle as PUT }
