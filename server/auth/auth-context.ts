import type { Database } from '#server/db/prisma.ts'
import type { OpenIdSettings } from '#server/env.ts'
import type { Log } from '#server/observability/log.ts'

/** Dependencies of the auth module. */
export type AuthContext = {
  readonly pool: Database
  readonly log: Log
  /** Service secret, used to sign and encrypt cookies and to encrypt stored secrets. */
  readonly secret: string
  /** Public base URL, used for links in emails. */
  readonly publicUrl: string
  readonly providers: { readonly google: OpenIdSettings | null; readonly oidc: OpenIdSettings | null }
  /** True if /dev/mail may show emails. */
  readonly showsOutbox: boolean
}

/** Client address and user agent of a request, for the audit log, the session list and rate limits. */
export type Asker = {
  /** IP address; null if unknown. */
  readonly address: string | null
  /** User agent, truncated for storage. */
  readonly agent: string
}

/** Claims of the session cookie: a session and its account. The session's row determines whether it is active. */
export type SessionClaims = { readonly sub?: unknown; readonly sid?: unknown }

/** User profile from an identity provider. */
export type ProviderProfile = {
  readonly issuer: string
  readonly subject: string
  readonly email: string
  /** True only if the provider explicitly states that the email address is verified. */
  readonly isEmailVerified: boolean
  readonly name: string
}

const hour = 3_600
const day = 24 * hour

/** Idle timeout and maximum lifetime of a session. Administrators can reach every account, so their limits are shorter. */
export const sessionLimits = {
  member: { idleSeconds: 14 * day, lifetimeSeconds: 30 * day },
  admin: { idleSeconds: hour, lifetimeSeconds: 12 * hour },
} as const
