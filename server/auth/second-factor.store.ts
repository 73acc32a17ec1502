import type { Pool, PoolClient } from 'pg'

type Db = Pool | PoolClient

export type FactorRow = { secret: Buffer; since: Date | null; last_step: string }

export async function readFactor(db: Db, accountId: number): Promise<FactorRow | undefined> {
  const { rows } = await db.query<FactorRow>('SELECT secret, since, last_step FROM second_factor WHERE account_id = $1', [accountId])
  return rows[0]
}

/** Keeps a secret that is being set up; one that is in use stays. */
export async function writeFactor(db: Db, accountId: number, secret: Buffer): Promise<void> {
  await db.query(
    'INSERT INTO second_factor AS f (account_id, secret) VALUES ($1, $2) ON CONFLICT (account_id) DO UPDATE SET secret = $2, last_step = 0 WHERE f.since IS NULL',
    [accountId, secret],
  )
}

/** Turns the factor on; false when it was on already. */
export async function turnOn(client: PoolClient, accountId: number, step: number): Promise<boolean> {
  const { rowCount } = await client.query('UPDATE second_factor SET since = now(), last_step = $2 WHERE account_id = $1 AND since IS NULL', [accountId, step])
  return rowCount === 1
}

/** Uses a step up: a code works once, and none older than it works again. */
export async function takeStep(db: Db, accountId: number, step: number): Promise<boolean> {
  const { rowCount } = await db.query('UPDATE second_factor SET last_step = $2 WHERE account_id = $1 AND since IS NOT NULL AND last_step < $2', [
    accountId,
    step,
  ])
  return rowCount === 1
}

/** Removes the factor before its codes, as everybody takes the two. Returns whether it was on. */
export async function removeFactor(client: PoolClient, accountId: number): Promise<boolean> {
  const { rows } = await client.query<{ since: Date | null }>('DELETE FROM second_factor WHERE account_id = $1 RETURNING since', [accountId])
  await client.query('DELETE FROM recovery_code WHERE account_id = $1', [accountId])
  return rows[0]?.since != null
}

export async function replaceRecoveryCodes(client: PoolClient, accountId: number, hashes: readonly Buffer[]): Promise<void> {
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
