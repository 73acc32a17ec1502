/** Prisma's schema engine as WebAssembly: the same program as `prisma migrate`, without a download. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlQuery, SqlResultSet } from '@prisma/driver-adapter-utils'
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum, DriverAdapterError, isDriverAdapterError } from '@prisma/driver-adapter-utils'
import * as binding from '@prisma/schema-engine-wasm/schema_engine_bg'
import type { Pool } from 'pg'
import { DatabaseError } from 'pg'
import { castChars } from './migrations.sql.ts'

export type { MigrationList } from '@prisma/schema-engine-wasm'

type Options = {
  pool: Pool
  /** Runs a complete migration script. */
  runScript: (script: string) => Promise<void>
  /** Receives warnings and errors of the engine, one line each. */
  log: (line: string) => void
}

/** Excludes nothing, because the migrations own every object in the database. */
export const noFilters = { externalTables: [], externalEnums: [] }

/** Message of the engine's last panic. The error that the engine throws afterwards says only 'unreachable'. */
let panic: string | undefined
export const lastPanic = () => panic

let loaded: Promise<void> | undefined

export async function openEngine({ pool, runScript, log }: Options): Promise<binding.SchemaEngine> {
  loaded ??= load()
  await loaded
  const factory = bindMigrationAwareSqlAdapterFactory(new WholeScripts(pool, runScript))
  return binding.SchemaEngine.new({ datamodels: undefined }, (line: string) => forward(line, log), factory)
}

/**
 * Sends each script in one piece, which PostgreSQL runs as one transaction, as with Prisma's native engine. Prisma's adapter splits scripts at semicolons,
 * which breaks function bodies and strings.
 */
class WholeScripts extends PrismaPg {
  readonly #pool: Pool
  readonly #runScript: (script: string) => Promise<void>

  constructor(pool: Pool, runScript: (script: string) => Promise<void>) {
    super(pool)
    this.#pool = pool
    this.#runScript = runScript
  }

  override async connect() {
    const connection = await super.connect()
    const queryRaw = connection.queryRaw.bind(connection)
    connection.queryRaw = (query) =>
      queryRaw(query).catch((error: unknown) => (isCharRefused(error) ? withoutChar(this.#pool, query, queryRaw) : Promise.reject(error)))
    connection.executeScript = (script) => this.#runScript(script).catch((error: unknown) => Promise.reject(forEngine(error)))
    return connection
  }
}

const isCharRefused = (error: unknown) => isDriverAdapterError(error) && error.cause.kind === 'UnsupportedNativeDataType' && error.cause.type === 'char'

/** Works around the adapter's lack of support for the catalogue type "char", which the engine reads: fetches it as text and reports it as char. */
async function withoutChar(pool: Pool, query: SqlQuery, queryRaw: (query: SqlQuery) => Promise<SqlResultSet>): Promise<SqlResultSet> {
  const { sql, isChar } = await castChars(pool, query.sql, query.args)
  const result = await queryRaw({ ...query, sql })
  return { ...result, columnTypes: result.columnTypes.map((type, i) => (isChar[i] === true ? ColumnTypeEnum.Character : type)) }
}

function forEngine(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error
  const { code = 'N/A', severity = 'ERROR', message, detail, column, hint } = error
  return new DriverAdapterError({ kind: 'postgres', code, severity, message, detail, column, hint })
}

async function load(): Promise<void> {
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: (message: string) => (panic = message) } })
  const script = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg')
  const bytes = await readFile(script.replace(/\.js$/, '.wasm'))
  const imports = Object.fromEntries(Object.entries(binding).map(([name, value]) => [name, name.startsWith('__wbg_setTimeout_') ? idleTimeout : value]))
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': imports as WebAssembly.ModuleImports })
  binding.__wbg_set_wasm(instance.exports)
  const begin = instance.exports['__wbindgen_start']
  if (typeof begin !== 'function') throw new Error('the schema engine of @prisma/schema-engine-wasm has no start function: install its pinned version')
  begin()
}

/** Unrefs the engine's ten-second lock timer. The engine never clears it, so it would otherwise keep every process alive for that long. */
const idleTimeout = (call: () => void, ms: number) => setTimeout(call, ms >>> 0).unref()

/** Forwards warnings and errors only: the engine logs whole migration scripts at INFO. */
function forward(line: string, log: (line: string) => void): void {
  const { level, fields }: { level?: string; fields?: { message?: string } } = JSON.parse(line)
  if (level === 'WARN' || level === 'ERROR') log(`schema engine: ${fields?.message ?? line.trim()}`)
}
