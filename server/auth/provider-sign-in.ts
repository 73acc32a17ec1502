import type { Asker, AuthContext, ProviderProfile } from './auth-context.ts'
import type { Device } from './cookies.ts'
import { findIdentity, readAccountCredentials, readCandidates } from './credentials.ts'
import { readEmail } from './email-address.ts'
import { connectProvider } from './providers.ts'
import { begin, type SignInOutcome } from './sign-in.ts'
import type { Viewer } from './viewer.ts'

export type ProviderOutcome =
  | SignInOutcome
  /** Unknown identity: sign-up continues on our page, where the user accepts the licence. */
  | { readonly kind: 'new' }
  | { readonly kind: 'connected' }
  /** A user is signed in but did not ask to connect this identity. */
  | { readonly kind: 'not-connected' }
  /** Another account has this address and has not connected this identity. */
  | { readonly kind: 'email-taken' }
  | { readonly kind: 'no-email' }

async function signInKnown(deps: AuthContext, asker: Asker, account: string, device: Device | null): Promise<ProviderOutcome> {
  const row = await readAccountCredentials(deps.pool, account)
  if (!row) return { kind: 'refused' }
  if (row.hasSecondFactor) return { kind: 'code', account, version: row.sessionVersion }
  return begin(deps, asker, row, device)
}

/** State of the browser that returns from an identity provider. */
export type ProviderBrowser = {
  readonly viewer: Viewer | null
  readonly device: Device | null
  /** True if the user has just entered their password to connect a provider. */
  readonly mayConnect: boolean
}

/**
 * Handles a verified identity: signs in to the account it is connected to; connects it if the signed-in user asked for that; otherwise continues to sign-up. A
 * matching email address is never enough to sign in: if another account has confirmed it, the result is `email-taken`.
 */
export async function signInWithProvider(
  deps: AuthContext,
  asker: Asker,
  profile: ProviderProfile,
  { viewer, device, mayConnect }: ProviderBrowser,
): Promise<ProviderOutcome> {
  const account = await findIdentity(deps.pool, profile.issuer, profile.subject)
  if (account !== null) return signInKnown(deps, asker, account, device)
  if (viewer !== null) return { kind: mayConnect && (await connectProvider(deps, asker, viewer, profile)) ? 'connected' : 'not-connected' }
  const email = readEmail(profile.email)
  if (email === null) return { kind: 'no-email' }
  const { confirmed } = profile.isEmailVerified ? await readCandidates(deps.pool, email) : { confirmed: undefined }
  return { kind: confirmed ? 'email-taken' : 'new' }
}
