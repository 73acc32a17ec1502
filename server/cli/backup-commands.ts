import type { Manifest } from '#server/backup/backup-format.ts'
import { createBackup } from '#server/backup/create-backup.ts'
import { verifyBackup } from '#server/backup/read-backup.ts'
import { type Restored, restoreBackup } from '#server/backup/restore-backup.ts'
import { readEnv } from '#server/env.ts'
import { createLog } from '#server/observability/log.ts'
import { openDatabase, type ServiceDatabase } from '#server/runtime/database.ts'
import type { CommandResult, SvcCommand } from './context.ts'
import { progressLine } from './output.ts'

/**
 * Opens the configured database without migrating it: a backup must not change it, and a restore needs it to be empty. `mayMake` allows an embedded database to
 * be created.
 */
async function onBareDatabase<Result>(mayMake: boolean, run: (database: ServiceDatabase, log: (line: string) => void) => Promise<Result>): Promise<Result> {
  const env = readEnv()
  const log = createLog(env.logLevel === 'info' ? 'warn' : env.logLevel)
  // Connects to the server directly: a backup needs one session for its whole duration.
  const direct = { ...env, databaseUrl: env.directUrl ?? env.databaseUrl, isPooled: false }
  const database = await openDatabase(direct, log, { applicationName: 'svc-cli', max: 1, statementTimeoutMs: 60_000, mayMake })
  return run(database, (line) => log.info(line)).finally(() => database.close())
}

const getRows = ({ sums }: Manifest): number => Object.values(sums).reduce((all, { rows }) => all + rows, 0)

function getSummary(file: string, manifest: Manifest) {
  const { service, moment, postgres, migrations, ledger, sums, tables } = manifest
  const leftOut = tables.filter((table) => table.leftOut !== null).map(({ name }) => name)
  return { file, moment, service, postgres, migrations: migrations.length, tables: Object.keys(sums).length, rows: getRows(manifest), leftOut, ledger, sums }
}

function getLines(file: string, manifest: Manifest): string[] {
  const { moment, service, ledger, tables } = manifest
  const { accounts, balanceCredits, differences } = ledger
  return [
    `${file}: ${getRows(manifest).toLocaleString('en-GB')} rows in ${tables.length} tables as of ${moment}, release ${service}.`,
    differences === 0
      ? `${accounts} accounts with ${balanceCredits} credits: every balance equals the sum of its entries.`
      : `${differences} of ${accounts} balances differ from the sum of their entries, as they did in the original database. Run "svc ledger verify".`,
    ...(tables.some(({ name, leftOut }) => name === 'request_log' && leftOut !== null) ? ['Without the request log: charges are included as totals.'] : []),
  ]
}

/** Warnings printed after every restore. */
const warnings = [
  'Use the NEXTAUTH_SECRET of the original service: without it, webhook secrets and second factors cannot be decrypted.',
  'Saved cards are removed and automatic top-ups turned off, so that no one is charged twice. Owners whose automatic top-ups were on are emailed when the service starts.',
  'Revocations, blocks, payments and deliveries after the backup are undone. See docs/backup.md for what to check now.',
]

function describeRestore(file: string, { manifest, isDone, halfOf, migratedOn, autoTopUpsEnded }: Restored): CommandResult {
  const result = { ...getSummary(file, manifest), restored: isDone, halfRestoreOf: halfOf, migratedOn, autoTopUpsEnded }
  if (!isDone) {
    const target = halfOf === null ? 'The database is empty.' : `The database has an incomplete restore of ${halfOf}, which will be removed.`
    return { result, lines: [...getLines(file, manifest), `${target} Dry run. Pass --yes to restore.`] }
  }
  const migrated = migratedOn.length > 0 ? [`Applied migrations: ${migratedOn.join(', ')}.`] : []
  return { result, lines: [...getLines(file, manifest), ...migrated, 'Restored. All rows are present, and the ledger matches the backup.', ...warnings] }
}

export function addBackupCommands(program: SvcCommand): void {
  const backup = program.sub('backup', 'back up and restore all data')
  backup
    .sub('create', 'write a consistent backup of every table to a file while the service runs')
    .requiredOption('--out <file>', 'output file, which must not exist')
    .option('--without-log', 'omit the request log but keep its totals: the ledger stays consistent, but individual calls are lost')
    .action(async ({ out, withoutLog }: { out: string; withoutLog?: true }, command: SvcCommand) => {
      const { say, end } = progressLine()
      const onTable = (phase: string, records: number) => say({ name: 'Backup', phase, records })
      const manifest = await onBareDatabase(false, ({ url }) => createBackup(url, out, { withLog: withoutLog !== true, onTable })).finally(end)
      command.write({ result: getSummary(out, manifest), lines: getLines(out, manifest) })
    })
  backup
    .sub('verify', 'read a backup completely and verify its checksums; needs no database')
    .argument('<file>', 'backup file')
    .action(async (file: string, _options: object, command: SvcCommand) => {
      const manifest = await verifyBackup(file)
      command.write({ result: getSummary(file, manifest), lines: [...getLines(file, manifest), 'Backup verified.'] })
    })
  backup
    .sub('restore', 'restore a backup into an empty database')
    .argument('<file>', 'backup file')
    .option('--yes', 'restore; without this option, only check the file and the database')
    .action(async (file: string, options: { yes?: true }, command: SvcCommand) => {
      const { say, end } = progressLine()
      const restored = await onBareDatabase(true, ({ migrationUrl: url }, log) =>
        restoreBackup({ url, file, isMeant: options.yes === true, onStep: (phase) => say({ name: 'Restore', phase }), log }),
      ).finally(end)
      command.write(describeRestore(file, restored))
    })
}
