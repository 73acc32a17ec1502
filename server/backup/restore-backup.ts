import { basename } from 'node:path'
import { verifyLedgerWithin } from '#server/billing/ledger.ts'
import { migrate } from '#server/db/migrate.ts'
import { readMigrations, unmarkHalf } from '#server/db/migrations.sql.ts'
import type { Manifest } from './backup-format.ts'
import { BackupError } from './backup-format.ts'
import { withConnection } from './backup-snapshot.sql.ts'
import { readBackup, verifyBackup } from './read-backup.ts'
import { claimTarget, endCharges, loadTables, lookAtTarget } from './restore.sql.ts'

export type RestoreOptions = {
  readonly url: string
  readonly file: string
  /** If false, only checks the file and the database (dry run). */
  readonly isMeant: boolean
  /** Receives a description of each step before it starts. */
  readonly onStep?: (step: string) => void
  readonly log?: (line: string) => void
}

export type Restored = {
  readonly manifest: Manifest
  readonly isDone: boolean
  /** File of an earlier restore that was interrupted; null if the database was empty. */
  readonly halfOf: string | null
  /** Migrations applied by the restore because the backup predates them. */
  readonly migratedOn: readonly string[]
  /** Number of automatic top-ups turned off. */
  readonly autoTopUpsEnded: number
}

/** Requires that the backup was made by this release or an earlier one: its migrations must match those of this release exactly. */
async function checkRelease({ migrations, service }: Manifest): Promise<void> {
  const own = new Map((await readMigrations()).map(({ name, checksum }) => [name, checksum]))
  for (const { name, checksum } of migrations) {
    if (!own.has(name))
      throw new BackupError(
        `The backup was made by a newer release (${service}): this release doesn't have its migration ${name}. Restore it with that release.`,
      )
    if (own.get(name) !== checksum)
      throw new BackupError(`Migration ${name} in the backup doesn't match this release. Restore it with the release that made it.`)
  }
}

/**
 * Restores a backup into an empty database: applies the backup's migrations, loads its tables in one transaction, and applies later migrations. Turns off
 * automatic top-ups and removes saved cards. Until the ledger has been verified, the database is marked as an incomplete restore, and the service refuses to
 * start on it.
 *
 * @throws BackupError if the file is damaged or newer than this release, or the database is not empty
 */
export async function restoreBackup({ url, file, isMeant, onStep = () => undefined, log = () => undefined }: RestoreOptions): Promise<Restored> {
  onStep('checking the file')
  const manifest = await verifyBackup(file)
  await checkRelease(manifest)
  return withConnection(url, 'svc restore', async (client) => {
    const { halfOf } = await lookAtTarget(client)
    if (!isMeant) return { manifest, isDone: false, halfOf, migratedOn: [], autoTopUpsEnded: 0 }
    onStep('creating the tables')
    await claimTarget(client, basename(file))
    await migrate(url, { log, within: 'restore', only: new Set(manifest.migrations.map(({ name }) => name)) })
    onStep('loading the rows')
    await loadTables(client, manifest, readBackup(file))
    onStep('applying later migrations')
    const { applied } = await migrate(url, { log, within: 'restore' })
    const autoTopUpsEnded = await endCharges(client)
    onStep('verifying the ledger')
    const { accounts, differences } = await verifyLedgerWithin(client)
    const { ledger } = manifest
    if (accounts !== ledger.accounts || differences.length !== ledger.differences) {
      throw new BackupError(
        `The restored ledger doesn't match the backup: expected ${ledger.accounts} accounts, ${ledger.differences} of them with differences, but found ${accounts} with ${differences.length}. The database stays marked as an incomplete restore.`,
      )
    }
    await unmarkHalf(client)
    return { manifest, isDone: true, halfOf, migratedOn: applied, autoTopUpsEnded }
  })
}
