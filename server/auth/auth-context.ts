import type { Pool } from 'pg'
import type { OpenIdSettings } from '#server/env.ts'
import type { Log } from '#server/observability/log.ts'

/** Dependencies of the auth module. */
export type AuthContext = {
  readonly pool: Pool
  readonly log: Log
  /** Signs and encrypts cookies and secrets. */
  readonly secret: string
  /** Public base URL, used for links in emails. */
  readonly publicUrl: string
  readonly providers: { readonly google: OpenIdSettings | null; readonly oidc: OpenIdSettings | null }
  /** Allows /dev/mail to show emails. */
  readonly showsOutbox: boolean
}

/** Origin of a request, for the audit log, the session list and rate limits. */
export type Asker = {
  /** IP address; null if unknown. */
  readonly address: string | null
  /** User agent, truncated for storage. */
  readonly agent: string
}

/** User profile from an identity provider. */
export type ProviderProfile = {
  readonly issuer: string
  readonly subject: string
  readonly email: string
  /** True only if the provider explicitly says so. */
  readonly isEmailVerified: boolean
  readonly name: string
}
