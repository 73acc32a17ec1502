import { existsSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { dataScopes, planNames, type Scope, scopeNames } from '#server/api/contract/access.ts'
import { migrateForRuntime } from '#server/db/runtime-role.sql.ts'
import { readEnv } from '#server/env.ts'
import { isDay } from '#server/market/sources/calendar.ts'
import { createLog } from '#server/observability/log.ts'
import { openDatabase, type ServiceDatabase } from '#server/runtime/database.ts'
import { writeResult } from './output.ts'

const statementTimeoutMs = 600_000

/** Result of a command: document for `--json`, human-readable lines, and whether the command failed. */
export type CommandResult = { result: object; lines: string[]; failed?: boolean }

/** Opens and migrates the configured database, runs `run`, and closes it. */
export async function onDatabase<Result>(run: (database: ServiceDatabase) => Promise<Result>): Promise<Result> {
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
    // Creates the tables of a new database. On a database that is already migrated, this is a single query.
    await migrateForRuntime(database.migrationUrl, database.pool, (line) => log.info(line))
    return await run(database)
  } finally {
    await database.close()
  }
}

/** Command of `svc`. */
export class SvcCommand extends Command {
  override createCommand(name?: string): SvcCommand {
    return new SvcCommand(name)
  }

  /** Adds a subcommand. */
  sub(name: string, description: string): SvcCommand {
    return this.command(name).description(description)
  }

  /** Adds a subcommand that operates on one account. */
  accountSub(name: string, description: string): SvcCommand {
    return this.sub(name, description).requiredOption('--account <account>', 'email or id of the account')
  }

  /** True with `--json`, whatever its position. */
  get isJson(): boolean {
    return this.optsWithGlobals()['json'] === true
  }

  write({ result, lines, failed }: CommandResult): void {
    writeResult(result, lines, this.isJson)
    if (failed) process.exitCode = 1
  }

  /** Runs `work` on the configured database and writes its result. */
  async run(work: (database: ServiceDatabase) => Promise<CommandResult>): Promise<void> {
    this.write(await onDatabase(work))
  }

  /** Sets the action of the command, which runs on the configured database. */
  onDatabase<Options>(work: (options: Options, database: ServiceDatabase) => Promise<CommandResult>): this {
    return this.action((options: Options) => this.run((database) => work(options, database)))
  }
}

/** Parses a whole number between `min` and `max`. */
export const wholeNumber =
  (min: number, max = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const value = /^-?\d{1,12}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new InvalidArgumentError(`Must be a whole number ${max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`}.`)
  }

/** Parses a whole number of 0 or more, or `none`. */
export const numberOrNone = (text: string): number | 'none' => (text === 'none' ? text : wholeNumber(0)(text))

/** Parses an ISO 8601 date. */
export function isoDay(text: string): string {
  if (isDay(text)) return text
  throw new InvalidArgumentError('Must be a date such as 2026-11-20.')
}

/**
 * Parses `all` or comma-separated scopes. `all` includes `assistant`, although its endpoint hasn't launched yet, but not `account:manage`, which is granted only
 * by name.
 */
export function scopeList(text: string): Scope[] {
  if (text === 'all') return [...dataScopes]
  return text.split(',').map((name) => {
    const scope = scopeNames.find((known) => known === name.trim())
    if (!scope) throw new InvalidArgumentError(`"${name}" is not a scope. Valid scopes: all, ${scopeNames.join(', ')}.`)
    return scope
  })
}

export const commaList = (text: string): string[] => text.split(',').map((part) => part.trim())

/** Parses an ISO 8601 time. Requires a time zone, because local time differs between machines. */
export function moment(text: string): Date {
  const at = new Date(text)
  if (Number.isNaN(at.getTime()) || !/(Z|[+-]\d\d:\d\d)$/.test(text)) throw new InvalidArgumentError('Must be a time such as 2027-03-01T00:00:00Z.')
  return at
}

export const oneOf =
  <const Values extends readonly [string, ...string[]]>(values: Values) =>
  (text: string): Values[number] => {
    const value = values.find((known) => known === text)
    if (value === undefined) throw new InvalidArgumentError(`Must be one of ${values.join(', ')}.`)
    return value
  }

export const planName = oneOf(planNames)
