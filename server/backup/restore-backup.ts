import { basename } from 'node:path'
import { verifyLedgerWithin } from '#server/billing/ledger.ts'
import { unmarkHalf } from '#server/db/half-restore.ts'
import { migrate } from '#server/db/migrate.ts'
import { readMigrations } from '#server/db/migrations.ts'
import { BackupError } from './backup-error.ts'
import { withConnection } from './connection.store.ts'
import { endCharges } from './end-charges.store.ts'
import { loadTables } from './load.store.ts'
import type { Manifest } from './manifest.ts'
import { readBackup, verifyBackup } from './read-backup.ts'
import { claimTarget, lookAtTarget } from './target.store.ts'

export type RestoreOptions = {
  readonly url: string
  readonly file: string
  /** Without it everything is looked at and nothing is done. */
  readonly isMeant: boolean
  /** Hears of what is done next. */
  readonly onStep?: (step: string) => void
  readonly log?: (line: string) => void
}

export type Restored = {
  readonly manifest: Manifest
  readonly isDone: boolean
  /** The backup whose restore was cut off here before; null: the database was empty. */
  readonly halfOf: string | null
  /** Migrations of this release that the backup did not have yet. */
  readonly migratedOn: readonly string[]
  /** Automatic top-ups that were on and are off now. */
  readonly autoTopUpsEnded: number
}

/** The backup was made by this release or by one before it: its migrations are the first ones of this release, to the letter. */
async function checkRelease({ migrations, service }: Manifest): Promise<void> {
  const own = new Map((await readMigrations()).map(({ name, checksum }) => [name, checksum]))
  for (const { name, checksum } of migrations) {
    if (!own.has(name))
      throw new BackupError(`The backup was made by a newer release (${service}): this one does not know its migration ${name}. Restore it with that release.`)
    if (own.get(name) !== checksum)
      throw new BackupError(`The migration ${name} of the backup is another one than that of this release. Restore it with the release that made it.`)
  }
}

/**
 * Restores a backup into an empty database: the migrations that it had, its tables in one transaction, the migrations that came since. Saved cards and what
 * charges them by itself end. Until the books have been found as they were, the database says that it is half a restore, and no service starts on it.
 *
 * @throws BackupError when the file is damaged or newer than this release, or the database is not empty.
 */
export async function restoreBackup({ url, file, isMeant, onStep = () => undefined, log = () => undefined }: RestoreOptions): Promise<Restored> {
  onStep('checking the file')
  const manifest = await verifyBackup(file)
  await checkRelease(manifest)
  return withConnection(url, 'svc restore', async (client) => {
    const { halfOf } = await lookAtTarget(client)
    if (!isMeant) return { manifest, isDone: false, halfOf, migratedOn: [], autoTopUpsEnded: 0 }
    onStep('making the tables')
    await claimTarget(client, basename(file))
    await migrate(url, { log, within: 'restore', only: new Set(manifest.migrations.map(({ name }) => name)) })
    onStep('loading the rows')
    await loadTables(client, manifest, readBackup(file))
    onStep('migrating on')
    const { applied } = await migrate(url, { log, within: 'restore' })
    const autoTopUpsEnded = await endCharges(client)
    onStep('checking the books')
    const { accounts, differences } = await verifyLedgerWithin(client)
    const { ledger } = manifest
    if (accounts !== ledger.accounts || differences.length !== ledger.differences) {
      throw new BackupError(
        `The books are not what they were: ${accounts} accounts of which ${differences.length} differ, instead of ${ledger.accounts} and ${ledger.differences}. The database stays marked as half a restore.`,
      )
    }
    await unmarkHalf(client)
    return { manifest, isDone: true, halfOf, migratedOn: applied, autoTopUpsEnded }
  })
}
