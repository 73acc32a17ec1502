import { readRole } from '#server/accounts/permissions.ts'
import { type Role, toLabel } from '#server/api/contract/teams.ts'
import type { Db } from '#server/db/prisma.ts'
import type { AuthContext } from './auth-context.ts'
import { SignedOutError } from './sessions.ts'
import { accountColumns, type LostAccount, readLicences, toViewer, type Viewer } from './viewer.ts'

type SingleSignOn = { readonly isRequired: boolean; readonly identities: readonly unknown[] } | null

/** Selects whether an account requires single sign-on, and whether a person has linked their login. */
const requirement = (memberId: number) => ({ select: { isRequired: true, identities: { where: { memberId }, take: 1, select: { memberId: true } } } }) as const

/**
 * Returns why an account can't be shown; null if it can. The owner always has access, so that they can change a failing provider. @throws SignedOutError if the
 * session can show no other account
 */
function lostReason(role: Role | null, limitedTo: number | null, singleSignOn: SingleSignOn): LostAccount['reason'] | null {
  if (role === null && limitedTo !== null) throw new SignedOutError()
  if (role === null) return 'no-access'
  if (role === 'owner' || limitedTo !== null || !singleSignOn?.isRequired) return null
  return singleSignOn.identities.length > 0 ? 'single-sign-on' : 'unlinked'
}

/** Returns the user's own account. If they transferred it and are now a member, they may have to sign in through its provider, and have no role until then. */
async function ownAccount(db: Db, viewer: Viewer): Promise<Viewer> {
  const { accountId, publicId, member, limitedTo } = viewer
  if (member.role === 'owner' || member.role === null || limitedTo !== null) return viewer
  const reason = lostReason(member.role, limitedTo, await db.singleSignOn.findUnique({ where: { accountId }, ...requirement(member.accountId) }))
  return reason === null ? viewer : { ...viewer, member: { ...member, role: null }, lost: { publicId, label: toLabel(viewer), reason } }
}

/**
 * Returns the account that the session shows: the user's own, or the one that it acts for. The role is read for each request, so a removed member loses access
 * immediately and gets their own account, with `lost` set. So does a member who has to sign in through the account's provider. Re-authentication always
 * concerns the user's own login, and the result is never an administrator.
 */
export async function shownAccount({ pool }: Pick<AuthContext, 'pool'>, viewer: Viewer): Promise<Viewer> {
  const { actingFor: id, member } = viewer
  if (id === null || id === viewer.accountId) return ownAccount(pool, viewer)
  const select = { ...accountColumns, singleSignOn: requirement(member.accountId) } as const
  const [row, licences] = await Promise.all([pool.account.findFirst({ where: { id }, select }), readLicences(pool)])
  if (row === null) return ownAccount(pool, viewer)
  const role = viewer.state === 'blocked' || row.closedAt !== null ? null : await readRole(pool, row, member.accountId)
  const reason = lostReason(role, viewer.limitedTo, row.singleSignOn)
  if (role === null || reason !== null) {
    const own = await ownAccount(pool, viewer)
    const label = row.closedAt === null ? toLabel(row) : 'a closed account'
    return own.lost === null ? { ...own, lost: { publicId: row.publicId, label, reason: reason ?? 'no-access' } } : own
  }
  const { hasPassword, hasSecondFactor, timeZone, actingFor, limitedTo } = viewer
  return { ...toViewer(row, viewer, licences), isAdmin: false, hasPassword, hasSecondFactor, timeZone, actingFor, limitedTo, member: { ...member, role } }
}
