import { nextService } from '../../../../server/next-service.ts'
import { createLegacyHandler } from '../../../../server/transports/legacy-mount.ts'

export const dynamic = 'force-dynamic'

const handle = createLegacyHandler(nextService)

export { handle as DELETE, handle as GET, handle as HEAD, handle as OPTIONS, handle as PATCH, handle as POST, handle as PUT }
