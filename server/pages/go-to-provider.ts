import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { currentAsker, currentAuthContext } from '#server/auth/current-request.ts'
import { startProvider } from '#server/auth/next-auth-handler.ts'

/** Redirects to an identity provider, which returns to `next`. `isAgain` asks the provider to re-authenticate the user. */
export async function goToProvider(asked: string, next: string, isAgain = false): Promise<never> {
  const provider = asked === 'google' ? 'google' : 'oidc'
  const { location, left } = await startProvider(await currentAuthContext(), await currentAsker(), provider, next, isAgain)
  const jar = await cookies()
  for (const { name, value, options } of left) jar.set(name, value, options)
  redirect(location)
}
