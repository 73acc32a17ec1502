import { currentAsker, currentAuthContext } from '#server/auth/current-request.ts'
import { answerNextAuth } from '#server/auth/next-auth-handler.ts'

type Context = { params: Promise<{ nextauth: string[] }> }

async function handle(request: Request, context: Context): Promise<Response> {
  return answerNextAuth(await currentAuthContext(), await currentAsker(), request, context)
}

export { handle as GET, handle as POST }
