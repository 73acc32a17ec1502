import type { Client } from 'pg'
import { clearHalf, halfRestore, markHalf, whatStands } from '#server/db/half-restore.ts'
import { BackupError } from './backup-error.ts'

/** Any number will do, as long as every release takes the same. */
const turnKey = 7_317_202_403
const shownNames = 3

/** Looks whether a backup may come into the database: it is empty, or half a restore, which is what is returned then. Nothing is changed. */
export async function lookAtTarget(client: Client): Promise<{ halfOf: string | null }> {
  const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [turnKey])
  if (rows[0]?.mine !== true) throw new BackupError('Another restore into this database is under way.')
  const half = await halfRestore(client)
  if (half !== null) return { halfOf: half.file }
  const names = await whatStands(client)
  if (names.length === 0) return { halfOf: null }
  const shown = `${names.slice(0, shownNames).join(', ')}${names.length > shownNames ? ' …' : ''}`
  throw new BackupError(`The database is not empty (${shown}): a backup is restored into a new database or a new data folder only. Nothing was changed.`)
}

/** Marks the database as half a restore, and takes away what an earlier one has left. */
export async function claimTarget(client: Client, file: string): Promise<void> {
  const half = await halfRestore(client)
  await markHalf(client, file)
  if (half !== null) await clearHalf(client)
}
