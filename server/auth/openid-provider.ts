import type { OAuthConfig } from 'next-auth/providers/oauth'
import type { OpenIdSettings } from '#server/env.ts'
import type { Log } from '#server/observability/log.ts'
import type { AuthContext, ProviderProfile } from './auth-context.ts'
import { dropCookie, makeCookie } from './cookies.ts'
import { currentAsker, currentCookie, leaveCookies } from './current-request.ts'
import type { Entry, EntryUser } from './entry.ts'
import { toEntry } from './password-provider.ts'
import { signInWithProvider } from './provider-sign-in.ts'
import { ThrottledError } from './throttle.ts'
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
    profile: (claims): EntryUser => {
      // next-auth doesn't compare the issuer of the discovery document with the configured one.
      if (withoutSlash(claims.iss ?? '') !== withoutSlash(issuer)) {
        log.warn({ provider: id }, 'Rejected an ID token from another issuer.')
        return { id: claims.sub ?? '' }
      }
      const email = claims.email ?? ''
      const name = (claims.name ?? '').slice(0, 100)
      // Only an explicit `true` counts as verified.
      return { id: claims.sub ?? '', profile: { issuer, subject: claims.sub ?? '', email, isEmailVerified: claims.email_verified === true, name } }
    },
  }
}

async function enter(deps: AuthContext, providerId: string, profile: ProviderProfile, viewer: Viewer | null): Promise<Entry> {
  const [device, proof] = [await currentCookie('device'), await currentCookie('connect')]
  const mayConnect = viewer !== null && proof?.session === viewer.sessionId && proof.provider === providerId
  const outcome = await signInWithProvider(deps, await currentAsker(), profile, { viewer, device, mayConnect })
  if (outcome.kind === 'signed-in' || outcome.kind === 'code') return toEntry(deps, outcome, '/portal')
  if (outcome.kind === 'new') {
    await leaveCookies(await makeCookie(deps, 'provider-sign-up', { profile }))
    return { path: '/sign-up/finish' }
  }
  if (outcome.kind === 'connected' || outcome.kind === 'not-connected') {
    await leaveCookies(dropCookie(deps, 'connect'))
    return { path: `/portal/settings/security?done=${outcome.kind}` }
  }
  return { path: `/sign-in?error=${outcome.kind}` }
}

/** Handles a user verified by an identity provider: signs in, connects the identity, or continues to sign-up. */
export async function afterProvider(deps: AuthContext, providerId: string, profile: ProviderProfile, viewer: Viewer | null): Promise<Entry> {
  try {
    return await enter(deps, providerId, profile, viewer)
  } catch (error) {
    if (error instanceof ThrottledError) return { path: '/sign-in?error=throttled' }
    // next-auth would put the error message into the next URL.
    deps.log.error({ err: error }, 'Provider sign-in failed.')
    return { path: '/sign-in?error=failed' }
  }
}
