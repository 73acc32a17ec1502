import { existsSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { migrateForRuntime } from '#server/db/runtime-role.ts'
import { readEnv } from '#server/env.ts'
import { createLog } from '#server/observability/log.ts'
import { type Database, openDatabase } from '#server/runtime/database.ts'
import { writeResult } from './output.ts'

const statementTimeoutMs = 600_000

/** What a command answers: a document for `--json`, lines for people, and whether it counts as a failure. */
export type CommandResult = { result: object; lines: string[]; failed?: boolean }

/** Does something on the database of the environment, migrated, and closes it again. */
export async function onDatabase<Result>(run: (database: Database) => Promise<Result>): Promise<Result> {
  const env = readEnv()
  const log = createLog(env.logLevel === 'info' ? 'warn' : env.logLevel)
  // To the server itself: a command may take longer than anything that sessions of a pooler are given.
  const direct = { ...env, databaseUrl: env.directUrl ?? env.databaseUrl, isPooled: false }
  const isNew = env.databaseUrl === null && !existsSync(join(env.dataDir, 'pgdata'))
  const database = await openDatabase(direct, log, { applicationName: 'svc-cli', max: 4, statementTimeoutMs })
  // Most likely it was meant for the database of a service that was started with another folder.
  if (isNew)
    writeSync(
      2,
      `There was no database in ${resolve(env.dataDir)}: an empty one was made. A service with another DATA_DIR or a DATABASE_URL does not see it.\n`,
    )
  try {
    // A command on a new database finds its tables; on a migrated one this is a single look.
    await migrateForRuntime(database.migrationUrl, database.pool, (line) => log.info(line))
    return await run(database)
  } finally {
    await database.close()
  }
}

/** Runs a command on the database of the environment and writes what it answers. */
export async function withDatabase(command: Command, run: (database: Database) => Promise<CommandResult>): Promise<void> {
  const { result, lines, failed } = await onDatabase(run)
  writeResult(result, lines, command.optsWithGlobals()['json'] === true)
  if (failed) process.exitCode = 1
}
