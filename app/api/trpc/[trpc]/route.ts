import { portalContext } from '#server/pages/portal-caller.ts'
import { answerTrpc } from '#server/trpc/http.ts'

const handle = (request: Request): Promise<Response> => answerTrpc(request, portalContext)

export { handle as GET, handle as POST }
