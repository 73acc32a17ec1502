import { authOptions } from '#server/auth/auth.ts'
import { currentAsker, currentAuthContext } from '#server/auth/current-request.ts'
import { answerNextAuth } from '#server/auth/next-auth-handler.ts'
import { signUpProviders } from '#server/self-service/sign-up-providers.ts'

type Context = { params: Promise<{ nextauth: string[] }> }

async function handle(request: Request, context: Context): Promise<Response> {
  const deps = await currentAuthContext()
  return answerNextAuth(deps, await currentAsker(), request, context, () => {
    const options = authOptions(deps)
    return { ...options, providers: [...options.providers, ...signUpProviders(deps)] }
  })
}

export { handle as GET, handle as POST }
