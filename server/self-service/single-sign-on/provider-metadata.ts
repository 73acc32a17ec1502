import { custom, errors, Issuer } from 'openid-client'
import { z } from 'zod'
import { RefusedReceiverError } from '#server/webhooks/reach.ts'
import { type ProviderNetwork, ProviderRequestError, providerUrlFault, withGuardedRequests } from './guarded-requests.ts'

const endpoint = z.url().max(2_000)

const Metadata = z.object({
  issuer: z.string().max(2_000),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  jwks_uri: endpoint,
  token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
  id_token_signing_alg_values_supported: z.array(z.string()).default(['RS256']),
})

/** The part of a provider's discovery document that sign-ins use. */
export type ProviderMetadata = z.infer<typeof Metadata>

/** Returns an error message for the account's owner; null for unexpected errors. */
function describeFault(error: unknown): string | null {
  if (error instanceof ProviderRequestError || error instanceof RefusedReceiverError) return error.message
  if (error instanceof SyntaxError) return "The identity provider's discovery document is not JSON. Check the issuer URL."
  if (error instanceof errors.OPError || error instanceof errors.RPError)
    return `We couldn't read the identity provider's discovery document: ${error.message}. Check the issuer URL.`
  if (error instanceof z.ZodError)
    return `The identity provider's discovery document doesn't have a usable ${error.issues[0]?.path.join('.') || 'content'}. Check the issuer URL.`
  const { code, message } = error as NodeJS.ErrnoException
  if (typeof code === 'string') return `We couldn't reach the identity provider (${code}). Check the issuer URL.`
  return error instanceof Error && message.startsWith('The host name') ? message : null
}

function checkMetadata(metadata: ProviderMetadata, issuer: string, network: ProviderNetwork): void {
  if (metadata.issuer !== issuer)
    throw new ProviderRequestError(
      `The identity provider's discovery document names a different issuer: ${metadata.issuer.slice(0, 200)}. Enter the issuer URL exactly as it appears there.`,
    )
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    const fault = providerUrlFault(new URL(metadata[name]), network)
    if (fault !== null) throw new ProviderRequestError(`The identity provider's ${name} can't be used. ${fault}`)
  }
  if (!metadata.id_token_signing_alg_values_supported.includes('RS256'))
    throw new ProviderRequestError("The identity provider doesn't sign ID tokens with RS256. Enable RS256 in its settings.")
}

/** Reads and checks the discovery document of an issuer. @throws ProviderRequestError, whose message says what is wrong */
export async function discoverProvider(network: ProviderNetwork, issuer: string): Promise<ProviderMetadata> {
  try {
    const found = await withGuardedRequests(network, (options) => {
      // openid-client reads the options of a discovery from the class. The class itself would share them with all other providers.
      class GuardedIssuer extends Issuer {
        static override [custom.http_options] = options
      }
      return GuardedIssuer.discover(issuer)
    })
    const metadata = Metadata.parse(found.metadata)
    checkMetadata(metadata, issuer, network)
    return metadata
  } catch (error) {
    const fault = describeFault(error)
    if (fault === null) throw error
    throw new ProviderRequestError(fault, { cause: error })
  }
}
