import { readRole } from '#server/accounts/permissions.ts'
import type { Role } from '#server/api/contract/teams.ts'
import { isTimeZone, utc } from '#server/api/contract/time-zones.ts'
import { clock } from '#server/clock.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { Db } from '#server/db/prisma.ts'
import type { Asker, AuthContext, SessionClaims } from './auth-context.ts'
import { isStillLinked } from './credentials.ts'
import { isActive, sessionColumns, touchSession } from './sessions.ts'

/** Columns of an account that every page needs. */
export const accountColumns = {
  id: true,
  publicId: true,
  email: true,
  name: true,
  purpose: true,
  timeZone: true,
  role: true,
  plan: true,
  state: true,
  blockReason: true,
  declineReason: true,
  emailVerifiedAt: true,
  createdAt: true,
  acceptedLicence: true,
  passwordHash: true,
  sessionVersion: true,
  closedAt: true,
  secondFactor: { select: { since: true } },
  ownerId: true,
  owner: { select: { email: true, name: true } },
} as const satisfies Prisma.AccountSelect

type Account = Prisma.AccountGetPayload<{ select: typeof accountColumns }>

/** The person who signed in, and their role in the account that is shown. */
export type Member = Readonly<Pick<Account, 'publicId' | 'email' | 'name'>> & {
  /** Account that the person signs in with. */
  readonly accountId: number
  /** Null if ownership was transferred and the person has since been removed. */
  readonly role: Role | null
}

/** Account columns that a viewer includes. */
type Shown = 'publicId' | 'email' | 'name' | 'purpose' | 'plan' | 'state' | 'blockReason' | 'declineReason' | 'createdAt'

/** The signed-in user of this request, and the account that is shown: the user's own, or one that they are a member of. */
export type Viewer = Readonly<Pick<Account, Shown>> & {
  readonly sessionId: string
  /** Session version that the account must have for this session to be valid. */
  readonly sessionVersion: number
  /** True if the owner signed in or re-authenticated in the last ten minutes. */
  readonly isRecent: boolean
  /** True if a second factor was presented in this session. */
  readonly hasPresentedFactor: boolean
  readonly accountId: number
  /** IANA time zone in which the portal shows times. */
  readonly timeZone: string
  readonly isAdmin: boolean
  readonly isConfirmed: boolean
  /** Time at which the email was confirmed, which is when the review begins; null before. */
  readonly confirmedAt: Date | null
  readonly hasPassword: boolean
  readonly hasSecondFactor: boolean
  /** Licence version that must be accepted, and the deadline; null if the latest is already accepted. */
  readonly licenceDue: { readonly label: string; readonly by: Date } | null
  /**
   * Account that an administrator is viewing as. View-as expires automatically or is ended by the administrator; until then, no page shows the administrator's
   * own portal.
   */
  readonly viewing: { readonly accountId: number; readonly publicId: string; readonly endsAt: Date; readonly isOver: boolean } | null
  readonly member: Member
  /** Address that gets the emails about the account. */
  readonly ownerEmail: string
  /** Account that this session acts for; null for the user's own. */
  readonly actingFor: number | null
  /** The only account that a single sign-on session may show. Null for a session of the user's own login. */
  readonly limitedTo: number | null
  /** Account that this session acts for, but that can't be shown. */
  readonly lost: LostAccount | null
}

/** Account that can't be shown: the user has lost access to it or must sign in through its provider, with a linked or an unlinked login. */
export type LostAccount = { readonly publicId: string; readonly label: string; readonly reason: 'no-access' | 'single-sign-on' | 'unlinked' }

const maxLicences = 100

/** Returns the published versions of the Data Licence, newest first. */
export const readLicences = (db: Db) =>
  db.licenceVersion.findMany({
    where: { publishedAt: { lte: new Date(clock.now()) } },
    orderBy: { publishedAt: 'desc' },
    take: maxLicences,
    select: { label: true, publishedAt: true, graceEndsAt: true },
  })

/** Returns the version to accept, and the earliest deadline of the versions published since the accepted one. */
function getLicenceDue(accepted: string | null, licences: Awaited<ReturnType<typeof readLicences>>): Viewer['licenceDue'] {
  const since = licences.find(({ label }) => label === accepted)?.publishedAt ?? new Date(0)
  const due = licences.filter(({ publishedAt }) => publishedAt > since)
  const [newest] = due
  return newest ? { label: newest.label, by: new Date(Math.min(...due.map(({ graceEndsAt }) => graceEndsAt.getTime()))) } : null
}

type SessionState = Pick<Viewer, 'sessionId' | 'sessionVersion' | 'isRecent' | 'hasPresentedFactor'>

/** Returns a user whose own account is shown, as its owner. */
export const toViewer = (row: Account, session: SessionState, licences: Awaited<ReturnType<typeof readLicences>>): Viewer => ({
  sessionId: session.sessionId,
  sessionVersion: session.sessionVersion,
  isRecent: session.isRecent,
  hasPresentedFactor: session.hasPresentedFactor,
  accountId: row.id,
  publicId: row.publicId,
  email: row.email,
  name: row.name,
  purpose: row.purpose,
  timeZone: isTimeZone(row.timeZone) ? row.timeZone : utc,
  isAdmin: row.role === 'admin',
  plan: row.plan,
  state: row.state,
  blockReason: row.blockReason,
  declineReason: row.declineReason,
  isConfirmed: row.emailVerifiedAt !== null,
  confirmedAt: row.emailVerifiedAt,
  createdAt: row.createdAt,
  hasPassword: row.passwordHash !== null,
  hasSecondFactor: (row.secondFactor?.since ?? null) !== null,
  licenceDue: getLicenceDue(row.acceptedLicence, licences),
  viewing: null,
  member: { accountId: row.id, publicId: row.publicId, email: row.email, name: row.name, role: 'owner' },
  ownerEmail: (row.owner ?? row).email,
  actingFor: null,
  limitedTo: null,
  lost: null,
})

/**
 * Returns true if this session may use the admin area: it belongs to an administrator who is not blocked, and a second factor was presented in this session.
 */
export const mayAdminister = ({ isAdmin, state, hasSecondFactor, hasPresentedFactor }: Viewer): boolean =>
  isAdmin && state !== 'blocked' && hasSecondFactor && hasPresentedFactor

const session = {
  ...sessionColumns,
  id: true,
  secondFactorAt: true,
  reauthenticatedAt: true,
  actingAccountId: true,
  account: { select: accountColumns },
  viewAs: { select: { endsAt: true, account: { select: { id: true, publicId: true } } } },
} as const satisfies Prisma.PortalSessionSelect

/** Maximum age of a recent sign-in or re-authentication. */
const recentMs = 600_000

/** Returns the viewer of a session token. Reads the session for each request, so an ended session stops working immediately. */
export async function getViewer({ pool }: Pick<AuthContext, 'pool'>, asker: Asker, claims: SessionClaims | null): Promise<Viewer | null> {
  if (typeof claims?.sid !== 'string') return null
  const [row, licences] = await Promise.all([pool.portalSession.findUnique({ where: { id: claims.sid }, select: session }), readLicences(pool)])
  if (!row || row.account.publicId !== claims.sub || row.account.closedAt !== null || !isActive(row, row.account)) return null
  const { id: sessionId, viewAs, organisationId: limitedTo } = row
  if (limitedTo !== null && !(await isStillLinked(pool, limitedTo, row.account))) return null
  const now = clock.now()
  await touchSession(pool, row, asker.address)
  const { sessionVersion } = row.account
  const isRecent = (row.reauthenticatedAt ?? row.createdAt).getTime() > now - recentMs
  const own = toViewer(row.account, { sessionId, sessionVersion, isRecent, hasPresentedFactor: row.secondFactorAt !== null }, licences)
  const role = await readRole(pool, row.account, row.account.id)
  const isAdmin = own.isAdmin && limitedTo === null
  const viewer = { ...own, isAdmin, member: { ...own.member, role }, actingFor: limitedTo ?? row.actingAccountId, limitedTo }
  // Only administrators who may use the admin area can view as a customer.
  if (viewAs === null || !mayAdminister(viewer)) return viewer
  const { endsAt, account } = viewAs
  return { ...viewer, viewing: { accountId: account.id, publicId: account.publicId, endsAt, isOver: endsAt.getTime() <= now } }
}

/**
 * Returns an account as its own portal shows it, for view-as. The result is never an administrator, and it has the administrator's session, so that the
 * customer's sessions are not affected. Returns null if the account is closed.
 */
export async function viewedAccount({ pool }: Pick<AuthContext, 'pool'>, administrator: Viewer, accountId: number): Promise<Viewer | null> {
  const [row, licences] = await Promise.all([pool.account.findFirst({ where: { id: accountId, closedAt: null }, select: accountColumns }), readLicences(pool)])
  return row ? { ...toViewer(row, administrator, licences), isAdmin: false } : null
}

/** Returns the origin of a change by the user, for the audit log. Names the member unless it is the owner in their own account. */
export function accountActor({ accountId, member }: Pick<Viewer, 'accountId' | 'member'>, { address }: Pick<Asker, 'address'>) {
  const isOwn = member.accountId === accountId && member.role === 'owner'
  return { actor: 'account', address, memberId: isOwn ? null : member.accountId } as const
}
