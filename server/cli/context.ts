import { existsSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { migrateForRuntime } from '#server/db/runtime-role.ts'
import { readEnv } from '#server/env.ts'
import { createLog } from '#server/observability/log.ts'
import { type Database, openDatabase } from '#server/runtime/database.ts'
import { writeResult } from './output.ts'

const statementTimeoutMs = 600_000

/** Result of a command: document for `--json`, human-readable lines, and whether the command failed. */
export type CommandResult = { result: object; lines: string[]; failed?: boolean }

/** Opens and migrates the configured database, runs `run`, and closes it. */
export async function onDatabase<Result>(run: (database: Database) => Promise<Result>): Promise<Result> {
  const env = readEnv()
  const log = createLog(env.logLevel === 'info' ? 'warn' : env.logLevel)
  // Connects to the server directly: commands can exceed the session limits of a pooler.
  const direct = { ...env, databaseUrl: env.directUrl ?? env.databaseUrl, isPooled: false }
  const isNew = env.databaseUrl === null && !existsSync(join(env.dataDir, 'pgdata'))
  const database = await openDatabase(direct, log, { applicationName: 'svc-cli', max: 4, statementTimeoutMs })
  // The user probably meant the database of a service with another data folder.
  if (isNew)
    writeSync(
      2,
      `Created an empty database in ${resolve(env.dataDir)}, because there was none. A service with another DATA_DIR or a DATABASE_URL does not use it.\n`,
    )
  try {
    // Creates the tables of a new database; on a migrated one this is a single query.
    await migrateForRuntime(database.migrationUrl, database.pool, (line) => log.info(line))
    return await run(database)
  } finally {
    await database.close()
  }
}

/** Runs a command on the configured database and writes its result. */
export async function withDatabase(command: Command, run: (database: Database) => Promise<CommandResult>): Promise<void> {
  const { result, lines, failed } = await onDatabase(run)
  writeResult(result, lines, command.optsWithGlobals()['json'] === true)
  if (failed) process.exitCode = 1
}
