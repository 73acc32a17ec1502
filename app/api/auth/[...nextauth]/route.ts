import { authOptions } from '#server/auth/auth.ts'
import { currentAsker } from '#server/auth/current-request.ts'
import { answerNextAuth } from '#server/auth/next-auth-handler.ts'
import { nextService } from '#server/runtime/next-service.ts'
import { signUpProviders } from '#server/self-service/sign-up-providers.ts'
import { organisationProvider } from '#server/self-service/single-sign-on/organisation-provider.ts'

type Context = { params: Promise<{ nextauth: string[] }> }

async function handle(request: Request, context: Context): Promise<Response> {
  const { auth: deps, webhooks } = await nextService()
  return answerNextAuth(deps, await currentAsker(), request, context, async () => {
    const options = authOptions(deps)
    const organisation = await organisationProvider(deps, webhooks.settings, request.method, (await context.params).nextauth)
    if (organisation !== null && 'path' in organisation) return organisation
    return { ...options, providers: [...options.providers, ...signUpProviders(deps), ...(organisation === null ? [] : [organisation])] }
  })
}

export { handle as GET, handle as POST }
