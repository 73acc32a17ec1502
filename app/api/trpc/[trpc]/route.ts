import { answerTrpc } from '../../../../server/trpc/http.ts'
import { portalContext } from '../../../portal-caller.ts'

const handle = (request: Request): Promise<Response> => answerTrpc(request, portalContext)

export { handle as GET, handle as POST }
