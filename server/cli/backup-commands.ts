import type { Command } from 'commander'
import { createBackup } from '#server/backup/create-backup.ts'
import type { Manifest } from '#server/backup/manifest.ts'
import { verifyBackup } from '#server/backup/read-backup.ts'
import { type Restored, restoreBackup } from '#server/backup/restore-backup.ts'
import { readEnv } from '#server/env.ts'
import { createLog } from '#server/observability/log.ts'
import { type Database, openDatabase } from '#server/runtime/database.ts'
import type { CommandResult } from './context.ts'
import { writeResult } from './output.ts'
import { progressLine } from './progress.ts'

/** The database of the environment as it is: a backup must not migrate what it copies, nor a restore what is still empty. `mayMake`: whether an embedded one is made. */
async function onBareDatabase<Result>(mayMake: boolean, run: (database: Database, log: (line: string) => void) => Promise<Result>): Promise<Result> {
  const env = readEnv()
  const log = createLog(env.logLevel === 'info' ? 'warn' : env.logLevel)
  // To the server itself: a copy lives in one session for as long as it takes.
  const direct = { ...env, databaseUrl: env.directUrl ?? env.databaseUrl, isPooled: false }
  const database = await openDatabase(direct, log, { applicationName: 'svc-cli', max: 1, statementTimeoutMs: 60_000, mayMake })
  return run(database, (line) => log.info(line)).finally(() => database.close())
}

function write(command: Command, { result, lines, failed }: CommandResult): void {
  writeResult(result, lines, command.optsWithGlobals()['json'] === true)
  if (failed) process.exitCode = 1
}

const rowsOf = ({ sums }: Manifest): number => Object.values(sums).reduce((all, { rows }) => all + rows, 0)

function summaryOf(file: string, manifest: Manifest) {
  const { service, moment, postgres, migrations, ledger, sums, tables } = manifest
  const leftOut = tables.filter((table) => table.leftOut !== null).map(({ name }) => name)
  return { file, moment, service, postgres, migrations: migrations.length, tables: Object.keys(sums).length, rows: rowsOf(manifest), leftOut, ledger, sums }
}

function linesOf(file: string, manifest: Manifest): string[] {
  const { moment, service, ledger, tables } = manifest
  const { accounts, balanceCredits, differences } = ledger
  return [
    `${file}: ${rowsOf(manifest).toLocaleString('en-GB')} rows in ${tables.length} tables as of ${moment}, release ${service}.`,
    differences === 0
      ? `${accounts} accounts with ${balanceCredits} credits: every balance is the sum of its entries.`
      : `${differences} of ${accounts} accounts differ from their entries, as they did in the database: see "svc ledger verify".`,
    ...(tables.some(({ name, leftOut }) => name === 'request_log' && leftOut !== null) ? ['Without the log of calls: their charges are kept as sums.'] : []),
  ]
}

/** What restoring cannot bring back, told whenever it is done. */
const beware = [
  'It needs the NEXTAUTH_SECRET of the service that was backed up: without it, secrets of webhooks and second factors cannot be opened.',
  'Saved cards are forgotten and automatic top-ups are off, so that nobody is charged again; their owners are told when the service starts.',
  'What was revoked, blocked, paid or delivered after that moment is as it was before. docs/backup.md says what to look at now.',
]

function describeRestore(file: string, { manifest, isDone, halfOf, migratedOn, autoTopUpsEnded }: Restored): CommandResult {
  const result = { ...summaryOf(file, manifest), restored: isDone, halfRestoreOf: halfOf, migratedOn, autoTopUpsEnded }
  if (!isDone) {
    const target = halfOf === null ? 'The database is empty.' : `The database is half a restore of ${halfOf}, which is cleared away.`
    return { result, lines: [...linesOf(file, manifest), `${target} Nothing was changed. Say --yes to restore.`] }
  }
  const onwards = migratedOn.length > 0 ? [`Migrated on: ${migratedOn.join(', ')}.`] : []
  return { result, lines: [...linesOf(file, manifest), ...onwards, 'Restored: all rows are there, and the books are as they were.', ...beware] }
}

export function addBackupCommands(program: Command): void {
  const backup = program.command('backup').description('copies of everything that the service keeps')
  backup
    .command('create')
    .description('write every table, as of one moment, to a file; the service goes on meanwhile')
    .requiredOption('--out <file>', 'where to; nothing may be there yet')
    .option('--without-log', 'leave out the log of calls and keep its sums: the books hold, but single calls are gone')
    .action(async ({ out, withoutLog }: { out: string; withoutLog?: true }, command: Command) => {
      const { say, end } = progressLine()
      const onTable = (phase: string, records: number) => say({ name: 'Backup', phase, records })
      const manifest = await onBareDatabase(false, ({ url }) => createBackup(url, out, { withLog: withoutLog !== true, onTable })).finally(end)
      write(command, { result: summaryOf(out, manifest), lines: linesOf(out, manifest) })
    })
  backup
    .command('verify')
    .description('read a backup to its end and check its sums; needs no database')
    .argument('<file>', 'the backup')
    .action(async (file: string, _options: object, command: Command) => {
      const manifest = await verifyBackup(file)
      write(command, { result: summaryOf(file, manifest), lines: [...linesOf(file, manifest), 'The file is whole.'] })
    })
  backup
    .command('restore')
    .description('restore a backup into an empty database')
    .argument('<file>', 'the backup')
    .option('--yes', 'do it; without this the file and the database are only looked at')
    .action(async (file: string, options: { yes?: true }, command: Command) => {
      const { say, end } = progressLine()
      const restored = await onBareDatabase(true, ({ migrationUrl: url }, log) =>
        restoreBackup({ url, file, isMeant: options.yes === true, onStep: (phase) => say({ name: 'Restore', phase }), log }),
      ).finally(end)
      write(command, describeRestore(file, restored))
    })
}
