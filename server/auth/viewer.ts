import type { Plan } from '#server/api/contract/access.ts'
import { isTimeZone, utc } from '#server/api/contract/time-zones.ts'
import type { Asker, AuthContext, SessionClaims } from './auth-context.ts'
import { type AccountColumnsRow, readViewed, readViewer, touchSession, type ViewerRow } from './sessions.store.ts'

/** The signed-in user of this request. */
export type Viewer = {
  readonly sessionId: string
  /** Session version of the account for which this session is valid. */
  readonly sessionVersion: number
  /** True if the owner signed in or re-authenticated in the last ten minutes. */
  readonly isRecent: boolean
  /** True if this session presented a second factor. */
  readonly hasPresentedFactor: boolean
  readonly accountId: number
  readonly publicId: string
  readonly email: string
  readonly name: string
  /** Stated purpose of the account. */
  readonly purpose: string
  /** IANA time zone in which the portal shows times. */
  readonly timeZone: string
  readonly isAdmin: boolean
  readonly plan: Plan
  readonly state: 'review' | 'open' | 'blocked'
  /** The part of the reason that is shown to the customer. */
  readonly blockReason: string | null
  /** Reason shown to the customer; null if the account was not declined. */
  readonly declineReason: string | null
  readonly isConfirmed: boolean
  readonly createdAt: Date
  readonly hasPassword: boolean
  readonly hasSecondFactor: boolean
  /** Licence version to accept and its deadline; null if the latest is accepted. */
  readonly licenceDue: { readonly label: string; readonly by: Date } | null
  /**
   * Account that an administrator is viewing as. Expires automatically or is ended by the administrator; until then, nothing of the administrator's own portal
   * is shown.
   */
  readonly viewing: { readonly accountId: number; readonly publicId: string; readonly endsAt: Date; readonly isOver: boolean } | null
}

type Session = Pick<Viewer, 'sessionId' | 'sessionVersion' | 'isRecent' | 'hasPresentedFactor'>

const fromDb = (row: AccountColumnsRow, { sessionId, sessionVersion, isRecent, hasPresentedFactor }: Session): Viewer => ({
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

/** Returns true if this session may use the admin area: it belongs to an administrator who is not blocked, and presented a second factor itself. */
export const mayAdminister = ({ isAdmin, state, hasSecondFactor, hasPresentedFactor }: Viewer): boolean =>
  isAdmin && state !== 'blocked' && hasSecondFactor && hasPresentedFactor

/** Returns the view-as session of an administrator who may use the admin area, or null. */
function getViewAs(row: ViewerRow, viewer: Viewer): Viewer['viewing'] {
  const { viewed_account: publicId, viewed_account_id: id, viewing_ends_at: endsAt } = row
  if (publicId === null || id === null || endsAt === null || !mayAdminister(viewer)) return null
  return { accountId: Number(id), publicId, endsAt, isOver: row.is_viewing_over === true }
}

/** Returns the viewer of a session token. Reads the session for each request, so an ended session stops working immediately. */
export async function getViewer(deps: AuthContext, asker: Asker, claims: SessionClaims | null): Promise<Viewer | null> {
  if (typeof claims?.sid !== 'string') return null
  const row = await readViewer(deps.pool, claims.sid)
  if (!row || row.public_id !== claims.sub) return null
  if (row.is_last_use_due) await touchSession(deps.pool, row.session_id, asker.address)
  const viewer = fromDb(row, {
    sessionId: row.session_id,
    sessionVersion: row.session_version,
    isRecent: row.is_recent,
    hasPresentedFactor: row.has_presented_factor,
  })
  return { ...viewer, viewing: getViewAs(row, viewer) }
}

/**
 * Returns an account as its own portal shows it, for view-as: never an administrator, and with the administrator's session, so that the customer's sessions are
 * not touched. Returns null if it is closed.
 */
export async function viewedAccount(deps: AuthContext, administrator: Viewer, accountId: number): Promise<Viewer | null> {
  const row = await readViewed(deps.pool, accountId)
  return row ? { ...fromDb(row, administrator), isAdmin: false } : null
}
