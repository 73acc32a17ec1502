/** Privileges of the role that serves requests, which need not own the tables. Prisma can't read or grant privileges. */
import type { Client } from 'pg'
import { getCode } from './database-errors.ts'
import { migrate } from './migrate.ts'
import { type Queryable, withClient } from './migrations.sql.ts'

export class RuntimeRoleError extends Error {
  override name = 'RuntimeRoleError'
}

/** Privilege that the runtime role lacks, or has but should not have, with the statement that corrects this. */
type Difference = { readonly isMissing: boolean; readonly right: string; readonly statement: string }

/**
 * Lists the privileges that a role lacks, and those it holds but should not have. Append-only tables need SELECT and INSERT. Tables written only by the owner's
 * functions and migrations need SELECT. `request_log` includes its partitions. Schema `pgboss` contains the job tables. Sequences need SELECT, because a backup
 * can't read their values without it.
 */
const differencesSql = `WITH schemas AS (SELECT oid, nspname FROM pg_namespace WHERE nspname IN ('public', 'pgboss')),
  needed AS (
    SELECT 1 AS no, 'database ' || current_database() AS object, format('DATABASE %I', current_database()) AS target, p.name AS privilege, true AS isneeded,
      has_database_privilege($1::name, current_database(), p.name) AS isheld FROM unnest(ARRAY['CONNECT', 'TEMPORARY']) p(name)
    UNION ALL SELECT 2, 'schema ' || n.nspname, format('SCHEMA %I', n.nspname), p.name, p.name = 'USAGE', has_schema_privilege($1::name, n.oid, p.name)
      FROM schemas n, unnest(ARRAY['USAGE', 'CREATE']) p(name)
    UNION ALL SELECT 3, 'table ' || c.relname, format('TABLE %I.%I', n.nspname, c.relname), p.name,
        CASE WHEN c.relname IN ('_prisma_migrations', 'dropped_charge') THEN p.name = 'SELECT'
          WHEN c.relname IN ('ledger_entry', 'audit_entry') OR starts_with(c.relname, 'request_log') THEN p.name IN ('SELECT', 'INSERT')
          ELSE p.name IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE') END,
        has_table_privilege($1::name, c.oid, p.name)
      FROM schemas n JOIN pg_class c ON c.relnamespace = n.oid, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) p(name)
      WHERE c.relkind IN ('r', 'p')
    UNION ALL SELECT 4, 'sequence ' || c.relname, format('SEQUENCE public.%I', c.relname), p.name, true, has_sequence_privilege($1::name, c.oid, p.name)
      FROM pg_class c, unnest(ARRAY['USAGE', 'SELECT']) p(name) WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'S'
    UNION ALL SELECT 5, 'function ' || f.proname, 'FUNCTION ' || f.oid::regprocedure, 'EXECUTE', true, has_function_privilege($1::name, f.oid, 'EXECUTE')
      FROM schemas n JOIN pg_proc f ON f.pronamespace = n.oid WHERE f.prokind = 'f'
  )
  SELECT isneeded AS "isMissing", string_agg(privilege, ', ' ORDER BY privilege) || ' on ' || object AS right,
    CASE WHEN isneeded THEN format('GRANT %s ON %s TO %I', string_agg(privilege, ', ' ORDER BY privilege), target, $1::name)
      ELSE format('REVOKE %s ON %s FROM %I', string_agg(privilege, ', ' ORDER BY privilege), target, $1::name) END AS statement
  FROM needed WHERE isneeded <> isheld GROUP BY no, object, target, isneeded ORDER BY no, object`

const differences = async (database: Queryable, role: string) => (await database.query<Difference>(differencesSql, [role])).rows

async function currentRole(database: Queryable): Promise<string> {
  const { rows } = await database.query<{ role: string }>('SELECT current_user AS role')
  return rows[0]?.role ?? ''
}

const advice = 'start once with DATABASE_MIGRATION_URL set to the role that owns the tables (docs/operations.md, "Two database roles")'

function refuseMissing(role: string, found: readonly Difference[]): void {
  const missing = found.filter(({ isMissing }) => isMissing).map(({ right }) => right)
  if (missing.length === 0) return
  const more = missing.length > 3 ? ` and ${missing.length - 3} more` : ''
  throw new RuntimeRoleError(`The database role "${role}" lacks privileges: ${missing.slice(0, 3).join('; ')}${more}. To grant them, ${advice}.`)
}

/** Key of the lock under which log partitions are created and dropped. */
const partitionsLock = 726_001

/** Default privileges on objects that later migrations create. Running processes need them until the next grant. */
const defaults = ['SELECT, INSERT, UPDATE, DELETE ON TABLES', 'USAGE, SELECT ON SEQUENCES', 'EXECUTE ON FUNCTIONS']

async function grant(client: Client, role: string): Promise<void> {
  await client.query("SET LOCAL lock_timeout = '10s'; SET LOCAL statement_timeout = '60s'")
  await client.query('SELECT pg_advisory_xact_lock($1)', [partitionsLock])
  const quoted = client.escapeIdentifier(role)
  for (const right of defaults) await client.query(`ALTER DEFAULT PRIVILEGES IN SCHEMA public, pgboss GRANT ${right} TO ${quoted}`)
  for (const { statement } of await differences(client, role)) await client.query(statement)
}

/** Grants the runtime role the privileges it needs and revokes others, in one transaction. Idempotent. */
async function grantRuntimeRole(ownerUrl: string, runtime: string, log: (line: string) => void): Promise<void> {
  await withClient(ownerUrl, 'svc migrate', async (client) => {
    if ((await currentRole(client)) === runtime) return
    await client.query('BEGIN')
    await grant(client, runtime)
    const left = await differences(client, runtime)
    refuseMissing(runtime, left)
    await client.query('COMMIT')
    if (left.length === 0) return
    log(
      `the database role "${runtime}" has more privileges than the service needs, such as ${left[0]?.right}: revoke them from PUBLIC, and make it neither a superuser nor a member of the role that owns the tables`,
    )
  })
}

/** Returns true if an error, or its cause, is a missing privilege. */
const isDenied = (error: unknown): boolean =>
  getCode(error) === '42501' || (error instanceof Error && (/permission denied for|must be owner of/.test(error.message) || isDenied(error.cause)))

/**
 * Migrates the database as the role of `ownerUrl`, then makes sure that the role of `runtime` has the privileges it needs. If another role owns the tables,
 * grants the privileges. @throws RuntimeRoleError if privileges are missing
 */
export async function migrateForRuntime(ownerUrl: string, runtime: Queryable, log: (line: string) => void): Promise<{ applied: string[] }> {
  try {
    const { applied } = await migrate(ownerUrl, { log })
    const role = await currentRole(runtime)
    await grantRuntimeRole(ownerUrl, role, log)
    refuseMissing(role, await differences(runtime, role))
    return { applied }
  } catch (error) {
    if (error instanceof RuntimeRoleError || !isDenied(error)) throw error
    throw new RuntimeRoleError(`The role that runs migrations lacks privileges: ${error instanceof Error ? error.message : ''}. To migrate, ${advice}.`, {
      cause: error,
    })
  }
}
