import type { OAuthConfig } from 'next-auth/providers/oauth'
import { writeAudit } from '#server/accounts/audit.ts'
import { readEmail } from '#server/accounts/email-address.ts'
import { clock } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { enqueueEmail } from '#server/email/email.ts'
import type { OpenIdSettings } from '#server/env.ts'
import type { Log } from '#server/observability/log.ts'
import type { AuthContext, ProviderProfile } from './auth-context.ts'
import { dropCookie, makeCookie } from './cookies.ts'
import { insertIdentity, readAccountCredentials, readCandidates } from './credentials.ts'
import { currentAsker, currentCookie, leaveCookies } from './current-request.ts'
import { type Entry, type EntryUser, toEntry, toErrorPage } from './entry.ts'
import { providerLabel } from './providers.ts'
import { lockOwnAccount } from './sessions.ts'
import { continueSignIn } from './sign-in.ts'
import type { Viewer } from './viewer.ts'

type Claims = { iss?: string; sub?: string; email?: string; email_verified?: unknown; name?: string }

const providerTimeoutMs = 10_000

const withoutSlash = (url: string): string => url.replace(/\/$/, '')

/** Configures an identity provider. */
export function openIdProvider(id: 'google' | 'oidc', settings: OpenIdSettings, log: Log): OAuthConfig<Claims> {
  const { issuer, clientId, clientSecret, label } = settings
  return {
    id,
    name: label,
    type: 'oauth',
    issuer,
    wellKnown: `${withoutSlash(issuer)}/.well-known/openid-configuration`,
    clientId,
    clientSecret,
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    authorization: { params: { scope: 'openid email profile' } },
    httpOptions: { timeout: providerTimeoutMs },
    profile: ({ iss = '', sub = '', email = '', email_verified, name = '' }): EntryUser => {
      // next-auth doesn't compare the issuer of the discovery document with the configured one.
      if (withoutSlash(iss) !== withoutSlash(issuer)) {
        log.warn({ provider: id }, 'Rejected an ID token from another issuer.')
        return { id: sub }
      }
      // Only an explicit `true` counts as verified.
      return { id: sub, profile: { issuer, subject: sub, email, isEmailVerified: email_verified === true, name: name.slice(0, 100) } }
    },
  }
}

/**
 * Connects an identity to an account and notifies its owner. Returns false if the identity is already connected, or the account is unconfirmed and so has no
 * proven owner. @throws SignedOutError
 */
async function connectProvider(deps: AuthContext, viewer: Viewer, { issuer, subject }: ProviderProfile): Promise<boolean> {
  const { accountId, email } = viewer
  if (!viewer.isConfirmed) return false
  const { address } = await currentAsker()
  return inTransaction(deps.pool, async (client) => {
    await lockOwnAccount(client, viewer)
    if (!(await insertIdentity(client, issuer, subject, accountId))) return false
    await writeAudit(client, { accountId, actor: 'account', action: 'provider.connect', after: { issuer }, address })
    await enqueueEmail(client, 'provider-changed', email, { at: new Date(clock.now()).toISOString(), provider: providerLabel(deps, issuer), isConnected: true })
    return true
  })
}

/** Connects an identity if the signed-in user has just proved who they are in order to connect this provider. */
async function connectToViewer(deps: AuthContext, providerId: string, profile: ProviderProfile, viewer: Viewer): Promise<Entry> {
  const proof = await currentCookie('connect')
  const mayConnect = proof?.session === viewer.sessionId && proof.provider === providerId
  const isConnected = mayConnect && (await connectProvider(deps, viewer, profile))
  await leaveCookies(dropCookie(deps, 'connect'))
  return { path: `/portal/settings/security?done=${isConnected ? 'connected' : 'not-connected'}` }
}

async function signInTo(deps: AuthContext, publicId: string): Promise<Entry> {
  const row = await readAccountCredentials(deps.pool, publicId)
  const outcome = row && (await continueSignIn(deps, await currentAsker(), row, await currentCookie('device')))
  return outcome === undefined || outcome.kind === 'refused' ? { path: '/sign-in?error=refused' } : toEntry(deps, outcome, '/portal')
}

/** Continues to the page on which the user of an unknown identity accepts the licence, unless another account has confirmed the address. */
async function beginSignUp(deps: AuthContext, profile: ProviderProfile): Promise<Entry> {
  const email = readEmail(profile.email)
  if (email === null) return { path: '/sign-in?error=no-email' }
  if (profile.isEmailVerified && (await readCandidates(deps.pool, email)).confirmed) return { path: '/sign-in?error=email-taken' }
  await leaveCookies(await makeCookie(deps, 'provider-sign-up', { profile }))
  return { path: '/sign-up/finish' }
}

/**
 * Handles a user verified by an identity provider: signs in to the account that the identity is connected to; connects it if the signed-in user asked for that;
 * otherwise continues to sign-up. A matching email address is never enough to sign in.
 */
export async function afterProvider(deps: AuthContext, providerId: string, profile: ProviderProfile, viewer: Viewer | null): Promise<Entry> {
  try {
    const { issuer, subject } = profile
    const where = { issuer, subject, account: { closedAt: null } }
    const identity = await deps.pool.providerIdentity.findFirst({ where, select: { account: { select: { publicId: true } } } })
    if (identity !== null) return await signInTo(deps, identity.account.publicId)
    return viewer === null ? await beginSignUp(deps, profile) : await connectToViewer(deps, providerId, profile, viewer)
  } catch (error) {
    return toErrorPage(deps, error, { path: '/sign-in?error=failed' })
  }
}
