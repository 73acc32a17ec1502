import { nextService } from '../../../server/next-service.ts'
import { createFetchHandler } from '../../../server/transports/fetch.ts'

export const dynamic = 'force-dynamic'

const handle = createFetchHandler(nextService)

export { handle as DELETE, handle as GET, handle as HEAD, handle as OPTIONS, handle as PATCH, handle as POST, handle as PUT }
