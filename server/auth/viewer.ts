import type { Plan } from '../contract/plans.ts'
import { isTimeZone, utc } from '../contract/time-zones.ts'
import type { Asker, AuthRoom } from './auth-room.ts'
import { openCookie } from './cookies.ts'
import { readViewer, touchSession, type ViewerRow } from './sessions.store.ts'

/** Who is signed in, as of this request. */
export type Viewer = {
  readonly sessionId: string
  /** The version of the account's sessions in which this one holds. */
  readonly sessionVersion: number
  /** When the password or the provider was last asked. */
  readonly signedInAt: Date
  readonly accountId: number
  readonly publicId: string
  readonly email: string
  readonly name: string
  /** What it says it will build. */
  readonly purpose: string
  /** In which zone times are told, by its IANA name. */
  readonly timeZone: string
  readonly isAdmin: boolean
  readonly plan: Plan
  readonly state: 'review' | 'open' | 'blocked'
  /** The part of the reason that may be shown. */
  readonly blockReason: string | null
  /** Why the account was not approved after its review; null: it was not refused. */
  readonly declineReason: string | null
  readonly isConfirmed: boolean
  readonly createdAt: Date
  readonly hasPassword: boolean
  readonly hasSecondFactor: boolean
  /** The licence to accept, and until when; null when the newest is accepted. */
  readonly licenceDue: { readonly label: string; readonly by: Date } | null
}

const fromDb = (row: ViewerRow): Viewer => ({
  sessionId: row.session_id,
  sessionVersion: row.session_version,
  signedInAt: row.begun_at,
  accountId: Number(row.account_id),
  publicId: row.public_id,
  email: row.email,
  name: row.name,
  purpose: row.purpose,
  timeZone: isTimeZone(row.time_zone) ? row.time_zone : utc,
  isAdmin: row.role === 'admin',
  plan: row.plan,
  state: row.state,
  blockReason: row.block_reason,
  declineReason: row.decline_reason,
  isConfirmed: row.email_verified_at !== null,
  createdAt: row.created_at,
  hasPassword: row.has_password,
  hasSecondFactor: row.has_second_factor,
  licenceDue: row.licence_due_at === null || row.licence_label === null ? null : { label: row.licence_label, by: row.licence_due_at },
})

/** The viewer behind a session cookie, read anew for each request: a session that was ended anywhere, or by anything, is nobody's. */
export async function viewerOf(room: AuthRoom, asker: Asker, cookie: string | undefined): Promise<Viewer | null> {
  const claims = await openCookie(room, 'session', cookie)
  if (!claims || typeof claims.sid !== 'string') return null
  const row = await readViewer(room.pool, claims.sid)
  if (!row || row.public_id !== claims.sub) return null
  await touchSession(room.pool, row.session_id, asker.address)
  return fromDb(row)
}
