import { nextService } from '../../server/next-service.ts'
import { createFetchHandler } from '../../server/transports/fetch.ts'

export const dynamic = 'force-dynamic'

// All calls come here that our own listener hands over (server/portal.ts); on a host that runs only Next, those that have no path.
const handle = createFetchHandler(nextService)

export { handle as DELETE, handle as GET, handle as HEAD, handle as OPTIONS, handle as PATCH, handle as POST, handle as PUT }
