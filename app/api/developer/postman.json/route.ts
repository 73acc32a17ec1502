import { nextService } from '../../../../server/next-service.ts'
import { createDocumentHandler } from '../../../../server/transports/documents.ts'

export const dynamic = 'force-dynamic'

const handle = createDocumentHandler(nextService, 'postman')

export { handle as DELETE, handle as GET, handle as HEAD, handle as OPTIONS, handle as PATCH, handle as POST, handle as PUT }
