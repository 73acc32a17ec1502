import type { CredentialsConfig } from 'next-auth/providers/credentials'
import { dataScopes } from '#server/api/contract/access.ts'
import { auth } from '#server/auth/auth.ts'
import type { Asker, AuthContext } from '#server/auth/auth-context.ts'
import { dropCookie, makeCookie, withAccount } from '#server/auth/cookies.ts'
import { currentCookie, leaveCookies } from '#server/auth/current-request.ts'
import { type Entry, formProvider } from '#server/auth/entry.ts'
import { beginSession } from '#server/auth/sessions.ts'
import { createFirstKey } from '#server/keys/manage-own-keys.ts'
import { type Bearer, confirmEmail } from './email-confirmation.ts'
import { signUpWithProvider } from './sign-up.ts'
import { joinPath, joinThroughProvider } from './single-sign-on/link-sign-in.ts'

/** Returns the accounts that belong to this browser. A single sign-on session proves nothing, because the provider's operator may have started it. */
export async function currentBearer(): Promise<Bearer> {
  const [pending, viewer] = [await currentCookie('sign-up'), await auth()]
  return { signedUp: pending?.account ?? null, signedIn: viewer?.limitedTo === null ? viewer.publicId : null }
}

/** Creates the first test key of a newly confirmed account and passes it to the welcome page in an encrypted cookie, which expires after ten minutes. */
async function welcome(deps: AuthContext, asker: Asker, { account, accountId }: { account: string; accountId: number }): Promise<void> {
  const made = await createFirstKey(deps.pool, { accountId, isConfirmed: true, address: asker.address }, dataScopes)
  if (made !== null) await leaveCookies(await makeCookie(deps, 'welcome', { account, key: made.key }))
}

/** Confirms an email address. After a sign-up, also signs in to the account if `mayEnter` is true. */
const confirmProvider = (deps: AuthContext): CredentialsConfig =>
  formProvider(deps, 'confirm', async (read, asker): Promise<Entry> => {
    const token = read('token')
    const confirmed = await confirmEmail(deps, asker, token, await currentBearer(), read('password'))
    if (confirmed === null) return { path: `/confirm/${encodeURIComponent(token)}` }
    const { account, accountId, sessionVersion, purpose, mayEnter } = confirmed
    if (!mayEnter) return { path: `/sign-in?done=${purpose === 'confirm' ? 'confirmed' : 'changed'}` }
    if (purpose === 'change') return { path: '/portal/settings/security?done=email' }
    const signedIn = await beginSession(deps, asker, { id: accountId, publicId: account, sessionVersion })
    if (signedIn === null) return { path: '/sign-in?done=confirmed' }
    await welcome(deps, asker, confirmed)
    return { signedIn, device: withAccount(await currentCookie('device'), account) }
  })

/** Creates the account of a user who came from an identity provider, and signs in to it. */
const providerSignUp = (deps: AuthContext): CredentialsConfig =>
  formProvider(deps, 'sign-up', async (read, asker): Promise<Entry> => {
    const waiting = await currentCookie('provider-sign-up')
    if (waiting === null) return { path: '/sign-up' }
    const accepted = { acceptsLicence: read('licence') !== '', licence: read('licenceShown') }
    const { profile, invitation } = waiting
    const organisation = invitation && { through: invitation.through, connect: joinThroughProvider(asker, invitation) }
    const made = await signUpWithProvider(deps, asker, profile, accepted, await currentCookie('device'), organisation)
    if (made === null || made.outcome.kind !== 'signed-in') {
      await leaveCookies(dropCookie(deps, 'provider-sign-up'))
      return { path: invitation ? joinPath(invitation.token, 'sign-in-first') : '/sign-in?error=email-taken' }
    }
    if (made.isConfirmed && !invitation) await welcome(deps, asker, made)
    return made.outcome
  })

/** next-auth providers that sign a user in after an email confirmation or a sign-up through an identity provider. */
export const signUpProviders = (deps: AuthContext): CredentialsConfig[] => [confirmProvider(deps), providerSignUp(deps)]
