import { nextService } from '../../server/next-service.ts'
import { createSecurityTextHandler } from '../../server/transports/security-text.ts'

export const dynamic = 'force-dynamic'

const handle = createSecurityTextHandler(nextService)

export { handle as DELETE, handle as GET, handle as HEAD, handle as PATCH, handle as POST, handle as PUT }
