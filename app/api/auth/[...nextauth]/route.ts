import { currentAsker, currentRoom } from '#server/auth/current-request.ts'
import { answerNextAuth } from '#server/auth/next-auth-handler.ts'

type Context = { params: Promise<{ nextauth: string[] }> }

async function handle(request: Request, context: Context): Promise<Response> {
  return answerNextAuth(await currentRoom(), await currentAsker(), request, context)
}

export { handle as GET, handle as POST }
