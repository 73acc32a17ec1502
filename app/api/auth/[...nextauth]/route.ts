import { authOptions } from '#server/auth/auth.ts'
import { currentAsker } from '#server/auth/current-request.ts'
import { answerNextAuth } from '#server/auth/next-auth-handler.ts'
import { nextService } from '#server/runtime/next-service.ts'
import { signUpProviders } from '#server/self-service/sign-up-providers.ts'
import { organisationProvider, toProviderPage } from '#server/self-service/single-sign-on/organisation-provider.ts'

type Context = { params: Promise<{ nextauth: string[] }> }

async function handle(request: Request, context: Context): Promise<Response> {
  const { auth: deps, webhooks } = await nextService()
  const { nextauth } = await context.params
  const response = await answerNextAuth(deps, await currentAsker(), request, context, async () => {
    const options = authOptions(deps)
    const organisation = await organisationProvider(deps, webhooks.settings, request.method, nextauth)
    if (organisation !== null && 'path' in organisation) return organisation
    return { ...options, providers: [...options.providers, ...signUpProviders(deps), ...(organisation === null ? [] : [organisation])] }
  })
  return nextauth[0] === 'signin' && nextauth[1]?.startsWith('org-') ? toProviderPage(response, deps.publicUrl) : response
}

export { handle as GET, handle as POST }
