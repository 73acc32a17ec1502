import type { Pool } from 'pg'
import type { OpenIdSettings } from '#server/env.ts'
import type { Log } from '#server/observability/log.ts'

/** What the room needs of the process that it works in. */
export type AuthRoom = {
  readonly pool: Pool
  readonly log: Log
  /** Signs and seals cookies and secrets. */
  readonly secret: string
  /** Where people reach the service; links in mails begin with it. */
  readonly publicUrl: string
  readonly providers: { readonly google: OpenIdSettings | null; readonly oidc: OpenIdSettings | null }
  /** Whether /dev/mail may show letters. */
  readonly showsOutbox: boolean
}

/** Who is asking: for the audit log, the list of sessions and the limits on attempts. */
export type Asker = {
  /** Network address, or null when it is not known. */
  readonly address: string | null
  /** What the browser says of itself, cut to a length that can be kept. */
  readonly agent: string
}
