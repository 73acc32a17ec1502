import { z } from 'zod'
import { readEmail } from '#server/accounts/email-address.ts'
import type { AuthContext, ProviderProfile } from '#server/auth/auth-context.ts'
import { dropCookie, makeCookie } from '#server/auth/cookies.ts'
import { readAccountCredentials, readCandidates } from '#server/auth/credentials.ts'
import { currentAsker, currentCallbackPath, currentCookie, leaveCookies } from '#server/auth/current-request.ts'
import { type Entry, toEntry, toErrorPage } from '#server/auth/entry.ts'
import { continueSignIn } from '#server/auth/sign-in.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import { readInvitation } from '../invitations.ts'
import { joinPath, linkSignIn } from './link-sign-in.ts'
import { findLinkedPerson, type LinkedPerson, type Organisation } from './organisations.ts'

/** Identity that an organisation's provider asserts. Only the subject of a linked identity signs anyone in. */
type Identity = Pick<ProviderProfile, 'subject' | 'email' | 'name'>

/** Claims of an ID token. A subject has at most 255 ASCII characters (OpenID Connect Core, section 2). */
const Claims = z.object({ sub: z.string().regex(/^[\x20-\x7e]{1,255}$/), email: z.string().catch(''), name: z.string().catch('') })

const securityPage = (done: 'connected' | 'not-connected' | 'unlinked'): Entry => ({ path: `/portal/settings/security?done=${done}` })

const signInPage = ({ publicId }: Organisation, error: string) => ({ path: `/sign-in?organisation=${publicId}&error=${error}` })

/** Signs in the user who linked the identity. A user with a second factor must still enter a code. */
async function signIn(deps: AuthContext, organisation: Organisation, { publicId, state }: LinkedPerson, subject: string): Promise<Entry> {
  const row = await readAccountCredentials(deps.pool, publicId)
  if (row === undefined || (state === 'blocked' && row.id !== organisation.accountId)) return signInPage(organisation, 'refused')
  const { accountId: organisationId, issuer, clientId } = organisation
  const outcome = await continueSignIn(deps, await currentAsker(), row, await currentCookie('device'), { organisationId, issuer, clientId, subject })
  return outcome.kind === 'refused' ? signInPage(organisation, 'refused') : toEntry(deps, outcome, '/portal')
}

async function linkTo(deps: AuthContext, viewer: Viewer, organisation: Organisation, subject: string): Promise<Entry> {
  await leaveCookies(dropCookie(deps, 'connect'))
  return securityPage((await linkSignIn(deps, await currentAsker(), viewer, organisation, subject)) ? 'connected' : 'not-connected')
}

/**
 * Continues an invitation: the token proves that the person controls the invited mailbox, and the provider has to name the same address. A person who already
 * has a login with that address has to sign in with it first, so that the provider can't take it over. Returns null if there is no such invitation.
 */
async function join(deps: AuthContext, { accountId, publicId, issuer, clientId }: Organisation, { subject, email, name }: Identity): Promise<Entry | null> {
  const [, token] = /^\/join\/([^/]+)$/.exec(await currentCallbackPath()) ?? []
  const invitation = token === undefined ? null : await readInvitation(deps, token)
  if (token === undefined || invitation?.accountPublicId !== publicId) return null
  if (readEmail(email) !== invitation.email) return { path: joinPath(token, 'other-email') }
  if ((await readCandidates(deps.pool, invitation.email)).confirmed) return { path: joinPath(token, 'sign-in-first') }
  const profile = { issuer, subject, email: invitation.email, isEmailVerified: true, name: name.slice(0, 100) }
  const through = { organisationId: accountId, issuer, clientId, subject }
  await leaveCookies(await makeCookie(deps, 'provider-sign-up', { profile, invitation: { through, token } }))
  return { path: '/sign-up/finish' }
}

async function enter(deps: AuthContext, organisation: Organisation, identity: Identity, viewer: Viewer | null): Promise<Entry> {
  // A person who has just asked to link their login must not get the session of someone else who linked the identity.
  const proof = await currentCookie('connect')
  if (viewer !== null && proof?.session === viewer.sessionId && proof.provider === organisation.id) return linkTo(deps, viewer, organisation, identity.subject)
  const person = await findLinkedPerson(deps.pool, organisation, identity.subject)
  if (person !== null) return signIn(deps, organisation, person, identity.subject)
  const joining = viewer === null ? await join(deps, organisation, identity) : null
  return joining ?? (viewer === null ? signInPage(organisation, 'unlinked') : securityPage('unlinked'))
}

/**
 * Handles a person verified by an organisation's provider: links the identity if they have just asked for that, signs in if they linked it before, or continues
 * an invitation. The provider may assert anything, so nobody signs in by an email address alone.
 */
export async function enterThroughProvider(deps: AuthContext, organisation: Organisation, claims: unknown, viewer: Viewer | null): Promise<Entry> {
  const { data } = Claims.safeParse(claims)
  if (data === undefined) return signInPage(organisation, 'refused')
  try {
    return await enter(deps, organisation, { subject: data.sub, email: data.email, name: data.name }, viewer)
  } catch (error) {
    return toErrorPage(deps, error, signInPage(organisation, 'failed'))
  }
}
