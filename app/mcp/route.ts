import { nextService } from '../../server/next-service.ts'
import { createToolsHandler } from '../../server/transports/mcp-mounts.ts'

export const dynamic = 'force-dynamic'

const handle = createToolsHandler(nextService)

export { handle as DELETE, handle as GET, handle as HEAD, handle as OPTIONS, handle as PATCH, handle as POST, handle as PUT }
