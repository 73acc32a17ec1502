import { createDocumentHandler } from '#server/api/http/other-routes.ts'
import { nextService } from '#server/runtime/next-service.ts'

export const dynamic = 'force-dynamic'

const handle = createDocumentHandler(nextService, 'postman-environment')

export { handle as DELETE, handle as GET, handle as HEAD, handle as OPTIONS, handle as PATCH, handle as POST, handle as PUT }
