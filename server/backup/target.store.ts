import type { Client } from 'pg'
import { clearHalf, halfRestore, markHalf, whatStands } from '#server/db/half-restore.ts'
import { BackupError } from './backup-error.ts'

/** Arbitrary, but must be the same in every release. */
const lockKey = 7_317_202_403
const shownNames = 3

/** Checks that the database can be restored into: it is empty or an incomplete restore, whose file is returned. Changes nothing. */
export async function lookAtTarget(client: Client): Promise<{ halfOf: string | null }> {
  const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [lockKey])
  if (rows[0]?.mine !== true) throw new BackupError('Another restore into this database is running.')
  const half = await halfRestore(client)
  if (half !== null) return { halfOf: half.file }
  const names = await whatStands(client)
  if (names.length === 0) return { halfOf: null }
  const shown = `${names.slice(0, shownNames).join(', ')}${names.length > shownNames ? ' …' : ''}`
  throw new BackupError(`The database is not empty (${shown}). Restore only into a new database or data folder. Nothing was changed.`)
}

/** Marks the database as an incomplete restore and removes what an earlier one left behind. */
export async function claimTarget(client: Client, file: string): Promise<void> {
  const half = await halfRestore(client)
  await markHalf(client, file)
  if (half !== null) await clearHalf(client)
}
