import type { Db, Transaction } from '#server/db/prisma.ts'

export type FactorRow = { secret: Buffer; since: Date | null; last_step: string }

/** SQL condition: the set-up has not expired. Otherwise someone with a stolen session could confirm it weeks later. */
const setUpIsOpen = "started_at > now() - interval '15 minutes'"

/** Returns the active factor, or a set-up that can still be confirmed. */
export async function readFactor(db: Db, accountId: number): Promise<FactorRow | undefined> {
  const { rows } = await db.query<FactorRow>(
    `SELECT secret, since, last_step FROM second_factor WHERE account_id = $1 AND (since IS NOT NULL OR ${setUpIsOpen})`,
    [accountId],
  )
  return rows[0]
}

/** Stores the secret of a set-up, replacing that of an earlier one. Returns false, and changes nothing, if the factor is already on. */
export async function writeFactor(db: Db, accountId: number, secret: Buffer): Promise<boolean> {
  const { rowCount } = await db.query(
    'INSERT INTO second_factor AS f (account_id, secret) VALUES ($1, $2) ON CONFLICT (account_id) DO UPDATE SET secret = $2, last_step = 0, started_at = now() WHERE f.since IS NULL',
    [accountId, secret],
  )
  return rowCount === 1
}

/** Turns the factor on. Returns false if it is already on, or if this set-up was replaced by another or has expired. */
export async function turnOn(client: Transaction, accountId: number, secret: Buffer, step: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE second_factor SET since = now(), last_step = $3 WHERE account_id = $1 AND since IS NULL AND secret = $2 AND ${setUpIsOpen}`,
    [accountId, secret, step],
  )
  return rowCount === 1
}

/** Deletes an unconfirmed set-up. */
export async function forgetSetUp(client: Transaction, accountId: number): Promise<void> {
  await client.query('DELETE FROM second_factor WHERE account_id = $1 AND since IS NULL', [accountId])
}

/** Locks the factor until the transaction ends. To avoid deadlocks, it is always locked before its recovery codes. Returns false if it is off. */
export async function holdFactor(client: Transaction, accountId: number): Promise<boolean> {
  return (await client.query('SELECT FROM second_factor WHERE account_id = $1 AND since IS NOT NULL FOR UPDATE', [accountId])).rowCount === 1
}

/** Marks a time step as used, so that its code and all earlier codes stop working. Returns false if this step or a later one has already been used. */
export async function takeStep(db: Db, accountId: number, step: number): Promise<boolean> {
  const { rowCount } = await db.query('UPDATE second_factor SET last_step = $2 WHERE account_id = $1 AND since IS NOT NULL AND last_step < $2', [
    accountId,
    step,
  ])
  return rowCount === 1
}

/** Deletes the factor and then its recovery codes, in the order in which they are always locked. Returns true if the factor was on. */
export async function removeFactor(client: Transaction, accountId: number): Promise<boolean> {
  const { rows } = await client.query<{ since: Date | null }>('DELETE FROM second_factor WHERE account_id = $1 RETURNING since', [accountId])
  await client.query('DELETE FROM recovery_code WHERE account_id = $1', [accountId])
  return rows[0]?.since != null
}

export async function replaceRecoveryCodes(client: Transaction, accountId: number, hashes: readonly Buffer[]): Promise<void> {
  await client.query('DELETE FROM recovery_code WHERE account_id = $1', [accountId])
  await client.query('INSERT INTO recovery_code (account_id, hash) SELECT $1, unnest($2::bytea[])', [accountId, hashes])
}

export async function takeRecoveryCode(db: Db, accountId: number, hash: Buffer): Promise<boolean> {
  const { rowCount } = await db.query('UPDATE recovery_code SET used_at = now() WHERE account_id = $1 AND hash = $2 AND used_at IS NULL', [accountId, hash])
  return rowCount === 1
}

export async function countRecoveryCodes(db: Db, accountId: number): Promise<number> {
  const { rows } = await db.query<{ n: string }>('SELECT count(*) AS n FROM recovery_code WHERE account_id = $1 AND used_at IS NULL', [accountId])
  return Number(rows[0]?.n ?? 0)
}
