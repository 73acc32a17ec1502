import type { Plan } from '#server/api/contract/access.ts'
import type { Db, Transaction } from '#server/db/prisma.ts'
import { lastUseIntervalSeconds, recentSeconds, sessionLimits } from './auth-context.ts'

export type NewSession = {
  id: string
  accountId: number
  version: number
  lifetimeSeconds: number
  address: string | null
  agent: string
  /** True if a code was entered for this sign-in. */
  hasSecondFactor: boolean
}

const limitSql = (limit: keyof typeof sessionLimits.member) =>
  `make_interval(secs => CASE a.role WHEN 'admin' THEN ${sessionLimits.admin[limit]} ELSE ${sessionLimits.member[limit]} END)`

/** SQL condition: session `s` of account `a` has neither ended nor expired. */
export const isLiveSession = `(s.ended_at IS NULL AND s.version = a.session_version AND s.expires_at > now()
  AND s.seen_at > now() - ${limitSql('idleSeconds')} AND s.created_at > now() - ${limitSql('lifetimeSeconds')})`

/**
 * Creates a session unless all of the account's sessions were ended after `version` was read: a sign-in in progress with an old password must not outlive the
 * password change. Returns true if the session was created.
 */
export async function insertSession(db: Db, session: NewSession): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO portal_session (id, account_id, version, expires_at, address, agent, second_factor_at)
     SELECT $1, id, session_version, now() + make_interval(secs => $4), $5, $6, CASE WHEN $7 THEN now() END FROM account
     WHERE id = $2 AND session_version = $3 AND closed_at IS NULL FOR SHARE`,
    [session.id, session.accountId, session.version, session.lifetimeSeconds, session.address, session.agent, session.hasSecondFactor],
  )
  return rowCount === 1
}

/** Account data needed on every page. */
export type AccountColumnsRow = {
  account_id: string
  public_id: string
  email: string
  name: string
  purpose: string
  time_zone: string
  role: 'member' | 'admin'
  plan: Plan
  state: 'review' | 'open' | 'blocked'
  block_reason: string | null
  decline_reason: string | null
  email_verified_at: Date | null
  created_at: Date
  accepted_licence: string | null
  has_password: boolean
  has_second_factor: boolean
  licence_label: string | null
  licence_grace_ends_at: Date | null
  licence_due_at: Date | null
}

export type ViewerRow = AccountColumnsRow & {
  session_id: string
  session_version: number
  /** True if this session presented a second factor. */
  has_presented_factor: boolean
  /** True if the owner signed in or re-authenticated in the last few minutes. */
  is_recent: boolean
  /** True if the last use was written long enough ago to be written again. */
  is_last_use_due: boolean
  /** Account viewed in view-as, and until when; null outside view-as. */
  viewed_account: string | null
  viewed_account_id: string | null
  viewing_ends_at: Date | null
  is_viewing_over: boolean | null
}

const accountColumns = `a.id AS account_id, a.public_id, a.email, a.name, a.purpose, a.time_zone, a.role, a.plan, a.state, a.block_reason,
  a.decline_reason, a.email_verified_at, a.created_at, a.accepted_licence, a.password_hash IS NOT NULL AS has_password,
  EXISTS (SELECT FROM second_factor f WHERE f.account_id = a.id AND f.since IS NOT NULL) AS has_second_factor,
  n.label AS licence_label, n.grace_ends_at AS licence_grace_ends_at,
  (SELECT min(l.grace_ends_at) FROM licence_version l WHERE l.published_at <= now() AND l.published_at >
    coalesce((SELECT o.published_at FROM licence_version o WHERE o.label = a.accepted_licence), '-infinity')) AS licence_due_at`

const newestLicence =
  'LEFT JOIN LATERAL (SELECT label, grace_ends_at FROM licence_version WHERE published_at <= now() ORDER BY published_at DESC LIMIT 1) n ON true'

/** Returns a session's account with the data needed on every page; undefined if the session has ended or expired. */
export async function readViewer(db: Db, sessionId: string): Promise<ViewerRow | undefined> {
  const { rows } = await db.query<ViewerRow>({
    name: 'read-viewer',
    text: `SELECT s.id AS session_id, s.version AS session_version, s.second_factor_at IS NOT NULL AS has_presented_factor,
             coalesce(s.reauthenticated_at, s.created_at) > now() - make_interval(secs => ${recentSeconds}) AS is_recent,
             s.seen_at < now() - make_interval(secs => ${lastUseIntervalSeconds}) AS is_last_use_due, ${accountColumns},
             b.public_id AS viewed_account, v.account_id AS viewed_account_id, v.ends_at AS viewing_ends_at, v.ends_at <= now() AS is_viewing_over
           FROM portal_session s JOIN account a ON a.id = s.account_id ${newestLicence}
           LEFT JOIN view_as v ON v.session_id = s.id LEFT JOIN account b ON b.id = v.account_id
           WHERE s.id = $1 AND ${isLiveSession} AND a.closed_at IS NULL`,
    values: [sessionId],
  })
  return rows[0]
}

/** Returns the data of an account for view-as; undefined if it is closed. */
export async function readViewed(db: Db, accountId: number): Promise<AccountColumnsRow | undefined> {
  const { rows } = await db.query<AccountColumnsRow>(`SELECT ${accountColumns} FROM account a ${newestLicence} WHERE a.id = $1 AND a.closed_at IS NULL`, [
    accountId,
  ])
  return rows[0]
}

/** Returns true if any of these public ids belongs to an administrator. */
export async function hasAdministrator(db: Db, accounts: readonly string[]): Promise<boolean> {
  const { rowCount } = await db.query("SELECT FROM account WHERE public_id = ANY ($1) AND role = 'admin' AND closed_at IS NULL LIMIT 1", [accounts])
  return rowCount === 1
}

/** Records the last use of a session. Concurrent requests write it once. */
export async function touchSession(db: Db, sessionId: string, address: string | null): Promise<void> {
  await db.query(
    `UPDATE portal_session SET seen_at = now(), address = coalesce($2, address)
     WHERE id = $1 AND seen_at < now() - make_interval(secs => ${lastUseIntervalSeconds})`,
    [sessionId, address],
  )
}

/** Records a re-authentication. A code also counts as presenting the second factor. */
export async function markReauthenticated(db: Db, sessionId: string, isByCode: boolean): Promise<void> {
  await db.query(
    'UPDATE portal_session SET reauthenticated_at = now(), second_factor_at = CASE WHEN $2 THEN now() ELSE second_factor_at END WHERE id = $1 AND ended_at IS NULL',
    [sessionId, isByCode],
  )
}

/** Sets or clears the second factor of a session. */
export async function markSecondFactor(client: Transaction, sessionId: string, isPresented: boolean): Promise<void> {
  await client.query('UPDATE portal_session SET second_factor_at = CASE WHEN $2 THEN now() END WHERE id = $1', [sessionId, isPresented])
}

export type SessionRow = { id: string; created_at: Date; seen_at: Date; address: string | null; agent: string }

/** Returns an account's active sessions, most recently used first. */
export async function readSessions(db: Db, accountId: number, max: number): Promise<SessionRow[]> {
  const { rows } = await db.query<SessionRow>(
    `SELECT s.id, s.created_at, s.seen_at, s.address, s.agent FROM portal_session s JOIN account a ON a.id = s.account_id
     WHERE s.account_id = $1 AND ${isLiveSession} ORDER BY s.seen_at DESC LIMIT $2`,
    [accountId, max],
  )
  return rows
}

/** Ends an account's least recently used sessions beyond the limit. */
export async function endOldestSessions(db: Db, accountId: number, max: number): Promise<void> {
  await db.query(
    `UPDATE portal_session SET ended_at = now() WHERE id IN (
       SELECT s.id FROM portal_session s JOIN account a ON a.id = s.account_id
       WHERE s.account_id = $1 AND ${isLiveSession} ORDER BY s.seen_at DESC, s.id OFFSET $2)`,
    [accountId, max],
  )
}

/** Ends one of an account's sessions. Returns false if there is no such active session. */
export async function endOneSession(db: Db, accountId: number, sessionId: string): Promise<boolean> {
  const { rowCount } = await db.query('UPDATE portal_session SET ended_at = now() WHERE id = $2 AND account_id = $1 AND ended_at IS NULL', [
    accountId,
    sessionId,
  ])
  return rowCount === 1
}

/** Ends the session named by a cookie. Returns the account's id, or null if the session had already ended. */
export async function endSessionOfCookie(client: Transaction, sessionId: string, publicId: string): Promise<number | null> {
  const { rows } = await client.query<{ account_id: string }>(
    `UPDATE portal_session s SET ended_at = now() FROM account a
     WHERE s.id = $1 AND a.id = s.account_id AND a.public_id = $2 AND ${isLiveSession} RETURNING s.account_id`,
    [sessionId, publicId],
  )
  return rows[0] ? Number(rows[0].account_id) : null
}

/** Ends all sessions of an account, including those being created. Returns the version for new sessions. */
export async function endSessions(client: Transaction, accountId: number): Promise<number> {
  const { rows } = await client.query<{ session_version: number }>(
    'UPDATE account SET session_version = session_version + 1 WHERE id = $1 RETURNING session_version',
    [accountId],
  )
  const version = rows[0]?.session_version
  if (version === undefined) throw new Error(`There is no account ${accountId}.`)
  return version
}

/** Moves a session to a new version, so that it survives ending the others. */
export async function keepSession(client: Transaction, sessionId: string, version: number): Promise<void> {
  await client.query('UPDATE portal_session SET version = $2 WHERE id = $1', [sessionId, version])
}

/** Deletes sessions that ended or expired more than 30 days ago. */
export async function forgetSessions(db: Db): Promise<void> {
  await db.query(
    `DELETE FROM portal_session WHERE id IN (
       SELECT id FROM portal_session WHERE coalesce(ended_at, expires_at) < now() - interval '30 days' LIMIT 1000 FOR UPDATE SKIP LOCKED)`,
  )
}
