import type { OAuthConfig } from 'next-auth/providers/oauth'
import { type CustomHttpOptionsProvider, custom, Issuer } from 'openid-client'
import { decrypt } from '#server/accounts/encryption.ts'
import { attempt, limits } from '#server/accounts/throttle.ts'
import { auth } from '#server/auth/auth.ts'
import type { AuthContext } from '#server/auth/auth-context.ts'
import { currentSignInProvider } from '#server/auth/current-request.ts'
import type { EntryUser } from '#server/auth/entry.ts'
import type { WebhookSettings } from '#server/webhooks/webhook-deps.ts'
import { enterThroughProvider } from './enter-through-provider.ts'
import { getProviderNetwork, type ProviderNetwork, ProviderRequestError, withGuardedRequests } from './guarded-requests.ts'
import { secretPurpose } from './manage-provider.ts'
import { readMetadata } from './metadata-cache.ts'
import { findOrganisation, type Organisation } from './organisations.ts'
import type { ProviderMetadata } from './provider-metadata.ts'

const clockToleranceSeconds = 10

/** Returns a client of openid-client whose requests, for tokens and keys, are guarded. next-auth's own client would share its options between all providers. */
function openClient(metadata: ProviderMetadata, clientId: string, clientSecret: string, options: CustomHttpOptionsProvider) {
  const issuer = new Issuer(metadata)
  issuer[custom.http_options] = options
  const client = new issuer.Client({ client_id: clientId, client_secret: clientSecret })
  client[custom.http_options] = options
  client[custom.clock_tolerance] = clockToleranceSeconds
  return client
}

function toProvider(deps: AuthContext, network: ProviderNetwork, organisation: Organisation, metadata: ProviderMetadata): OAuthConfig<object> {
  const { id, label, clientId, publicId } = organisation
  const clientSecret = decrypt(deps.secret, secretPurpose, publicId, organisation.clientSecret)
  return {
    id,
    name: label,
    type: 'oauth',
    issuer: metadata.issuer,
    clientId,
    clientSecret,
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    authorization: { url: metadata.authorization_endpoint, params: { scope: 'openid email profile' } },
    token: {
      url: metadata.token_endpoint,
      // openid-client exchanges the code and validates the ID token.
      request: ({ provider, params, checks }) =>
        withGuardedRequests(network, async (options) => ({
          tokens: await openClient(metadata, clientId, clientSecret, options).callback(provider.callbackUrl, params, checks),
        })),
    },
    jwks_endpoint: metadata.jwks_uri,
    // next-auth rejects a profile without an id. `enterThroughProvider` checks the subject.
    profile: async (claims): Promise<EntryUser> => ({ id, entry: await enterThroughProvider(deps, organisation, claims, await auth()) }),
  }
}

/** Returns the path to redirect a callback to if this browser didn't begin the sign-in; null if it did. */
async function unexpectedCallback(organisation: Organisation): Promise<{ readonly path: string } | null> {
  return (await currentSignInProvider()) === organisation.id ? null : { path: `/sign-in?organisation=${organisation.publicId}&error=code` }
}

const maxLoggedChars = 200

/**
 * Returns the next-auth provider of an organisation for the two steps that need it: the start of a sign-in and its callback. Null for all other requests, and
 * if there is none. Returns the path of a page with an error if the provider does not answer. A callback causes requests to the provider only if the browser
 * has begun a sign-in. @throws ThrottledError
 */
export async function organisationProvider(
  deps: AuthContext,
  settings: Pick<WebhookSettings, 'developmentFeatures' | 'allowsPrivate'>,
  method: string,
  [action = '', providerId = '']: readonly string[],
): Promise<OAuthConfig<object> | { readonly path: string } | null> {
  const step = `${method} ${action}`
  if (step !== 'POST signin' && step !== 'GET callback') return null
  const organisation = await findOrganisation(deps.pool, providerId)
  if (organisation === null) return null
  const unexpected = action === 'callback' ? await unexpectedCallback(organisation) : null
  if (unexpected !== null) return unexpected
  await attempt(deps.pool, [limits.organisationProvider, organisation.publicId])
  const network = getProviderNetwork(settings)
  try {
    return toProvider(deps, network, organisation, await readMetadata(network, organisation))
  } catch (error) {
    if (!(error instanceof ProviderRequestError)) throw error
    deps.log.warn(
      { account: organisation.publicId, fault: error.message.slice(0, maxLoggedChars) },
      "Failed to read the configuration of an organisation's identity provider.",
    )
    return { path: `/sign-in?organisation=${organisation.publicId}&error=provider` }
  }
}

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * Replaces a form's redirect to an organisation's provider with a page that opens the provider: browsers also apply `form-action` of the content security
 * policy to redirects, and the policy can't list the providers of all organisations.
 */
export function toProviderPage(redirect: Response, publicUrl: string): Response {
  const target = URL.parse(redirect.headers.get('location') ?? '', publicUrl)
  if (target === null || target.origin === new URL(publicUrl).origin) return redirect
  const [href, host] = [escapeHtml(target.href), escapeHtml(target.host)]
  const headers = new Headers(redirect.headers)
  headers.delete('location')
  headers.set('content-type', 'text/html; charset=utf-8')
  const html = `<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="0; url=${href}">
<title>Single sign-on</title>
<h1>Single sign-on</h1>
<p><a href="${href}">Continue to ${host}</a></p>
</html>
`
  return new Response(html, { headers })
}
