import type { Plan } from '#server/api/contract/plans.ts'
import { isTimeZone, utc } from '#server/api/contract/time-zones.ts'
import type { Asker, AuthRoom } from './auth-room.ts'
import { openCookie } from './cookies.ts'
import { type AccountFactsRow, readViewed, readViewer, touchSession, type ViewerRow } from './sessions.store.ts'

/** Who is signed in, as of this request. */
export type Viewer = {
  readonly sessionId: string
  /** The version of the account's sessions in which this one holds. */
  readonly sessionVersion: number
  /** True if the owner signed in or re-authenticated within the last ten minutes. */
  readonly isRecent: boolean
  /** True if this session presented a second factor. */
  readonly hasPresentedFactor: boolean
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
  /** Whose portal an administrator looks at in place of the own one. It ends by itself, and is left by hand: until then nothing of the own portal is shown. */
  readonly viewing: { readonly accountId: number; readonly publicId: string; readonly endsAt: Date; readonly isOver: boolean } | null
}

type Session = Pick<Viewer, 'sessionId' | 'sessionVersion' | 'isRecent' | 'hasPresentedFactor'>

const fromDb = (row: AccountFactsRow, { sessionId, sessionVersion, isRecent, hasPresentedFactor }: Session): Viewer => ({
  sessionId,
  sessionVersion,
  isRecent,
  hasPresentedFactor,
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
  viewing: null,
})

/** True if an account may work in the admin area in this session: an administrator's, not blocked, and with a second factor presented in the session itself. */
export const mayAdminister = ({ isAdmin, state, hasSecondFactor, hasPresentedFactor }: Viewer): boolean =>
  isAdmin && state !== 'blocked' && hasSecondFactor && hasPresentedFactor

/** A view-as counts only while the viewer may work in the admin area. */
function viewingIn(row: ViewerRow, viewer: Viewer): Viewer['viewing'] {
  const { viewed_account: publicId, viewed_account_id: id, viewing_ends_at: endsAt } = row
  if (publicId === null || id === null || endsAt === null || !mayAdminister(viewer)) return null
  return { accountId: Number(id), publicId, endsAt, isOver: row.is_viewing_over === true }
}

/** The viewer behind a session cookie, read anew for each request: a session that was ended anywhere, or by anything, is nobody's. */
export async function viewerOf(room: AuthRoom, asker: Asker, cookie: string | undefined): Promise<Viewer | null> {
  const claims = await openCookie(room, 'session', cookie)
  if (!claims || typeof claims.sid !== 'string') return null
  const row = await readViewer(room.pool, claims.sid)
  if (!row || row.public_id !== claims.sub) return null
  if (row.is_last_use_due) await touchSession(room.pool, row.session_id, asker.address)
  const viewer = fromDb(row, {
    sessionId: row.session_id,
    sessionVersion: row.session_version,
    isRecent: row.is_recent,
    hasPresentedFactor: row.has_presented_factor,
  })
  return { ...viewer, viewing: viewingIn(row, viewer) }
}

/**
 * An account as its own portal would know it, for an administrator who looks at it: never an administrator itself, and with no sign-in of its own, which
 * therefore was not used. Null when it is closed.
 */
export async function viewedAccount(room: AuthRoom, administrator: Viewer, accountId: number): Promise<Viewer | null> {
  const row = await readViewed(room.pool, accountId)
  return row ? { ...fromDb(row, administrator), isAdmin: false } : null
}
