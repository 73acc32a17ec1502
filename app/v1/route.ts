import { createFetchHandler } from '#server/api/http/route-mounts.ts'
import { nextService } from '#server/runtime/next-service.ts'

export const dynamic = 'force-dynamic'

// Serves all calls forwarded by our own listener (server/runtime/portal.ts). On a host that runs only Next, serves only calls to the exact path /v1.
const handle = createFetchHandler(nextService)

export { handle as DELETE, handle as GET, handle as HEAD, handle as OPTIONS, handle as PATCH, handle as POST, handle as PUT }
