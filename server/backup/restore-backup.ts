import { basename } from 'node:path'
import { verifyLedgerWithin } from '#server/billing/ledger.ts'
import { migrate } from '#server/db/migrate.ts'
import { readMigrations, unmarkHalf, withClient } from '#server/db/migrations.sql.ts'
import { BackupError, type Manifest } from './backup-format.ts'
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

/**
 * Requires that this release can restore the backup: every migration in the backup must exist in this release with the same checksum. The backup may be from an
 * earlier release.
 */
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
 * Returns the migrations applied because the backup predates them (`migratedOn`), and the number of automatic top-ups turned off. `halfOf` is the file of an
 * earlier restore that was interrupted; null if the database was empty.
 *
 * @throws BackupError if the file is damaged or newer than this release, or the database is not empty
 */
export async function restoreBackup({ url, file, isMeant, onStep = () => undefined, log = () => undefined }: RestoreOptions) {
  onStep('checking the file')
  const manifest = await verifyBackup(file)
  await checkRelease(manifest)
  return withClient(url, 'svc restore', async (client) => {
    const { halfOf } = await lookAtTarget(client)
    const checked = { manifest, isDone: isMeant, halfOf, migratedOn: [] as string[], autoTopUpsEnded: 0 }
    if (!isMeant) return checked
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
    return { ...checked, migratedOn: applied, autoTopUpsEnded }
  })
}

export type Restored = Awaited<ReturnType<typeof restoreBackup>>
