/** Marker of an incomplete restore, so that an interrupted one is not mistaken for a usable database. */
import type { Queryable } from './migrations.ts'

/** A restore that is running or was interrupted. `file` is the backup's name. */
export type HalfRestore = { readonly file: string; readonly begunAt: Date }

export class HalfRestoreError extends Error {
  override name = 'HalfRestoreError'
}

// In a separate schema, because Prisma refuses the first migration of a schema that already contains tables.
const stateTable = 'svc_restore.state'

export async function halfRestore(database: Queryable): Promise<HalfRestore | null> {
  const { rows } = await database.query<{ isThere: boolean }>('SELECT to_regclass($1) IS NOT NULL AS "isThere"', [stateTable])
  if (rows[0]?.isThere !== true) return null
  const state = await database.query<HalfRestore>(`SELECT file, started_at AS "begunAt" FROM ${stateTable}`)
  return state.rows[0] ?? { file: 'a backup', begunAt: new Date(0) }
}

/** @throws HalfRestoreError if a restore is incomplete. */
export async function refuseHalfRestore(database: Queryable): Promise<void> {
  const half = await halfRestore(database)
  if (half === null) return
  throw new HalfRestoreError(
    `This database is an incomplete restore: restoring ${half.file} started at ${half.begunAt.toISOString()} and did not finish. Run "svc backup restore" again, which starts over, or use another database.`,
  )
}

/**
 * Marks the database as an incomplete restore of a file, replacing any earlier mark. The table counts as a mark even while it is empty, so the mark is never
 * missing.
 */
export async function markHalf(database: Queryable, file: string): Promise<void> {
  await database.query('CREATE SCHEMA IF NOT EXISTS svc_restore')
  await database.query(`CREATE TABLE IF NOT EXISTS ${stateTable} (file text NOT NULL, started_at timestamptz NOT NULL DEFAULT now())`)
  // Requests may be served by another role. It must be able to read the mark too, so that the service refuses to start.
  await database.query(`GRANT USAGE ON SCHEMA svc_restore TO PUBLIC; GRANT SELECT ON ${stateTable} TO PUBLIC`)
  await database.query(`DELETE FROM ${stateTable}`)
  await database.query(`INSERT INTO ${stateTable} (file) VALUES ($1)`, [file])
}

export async function unmarkHalf(database: Queryable): Promise<void> {
  await database.query('DROP SCHEMA svc_restore CASCADE')
}

/** Lists up to twenty objects in the service's schema, except those of extensions. */
const ownSql = `SELECT kind, name FROM (
    SELECT CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END AS kind,
      format('%I', c.relname) AS name, c.oid, 'pg_class'::regclass AS class
    FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
    UNION ALL SELECT 'ROUTINE', p.oid::regprocedure::text, p.oid, 'pg_proc'::regclass FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace
  ) found WHERE NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = found.class AND d.objid = found.oid AND d.deptype IN ('e', 'i', 'a'))
  ORDER BY kind DESC, name LIMIT 20`

export async function whatStands(database: Queryable): Promise<string[]> {
  return (await database.query<{ kind: string; name: string }>(ownSql)).rows.map(({ name }) => name)
}

/** Drops all objects of the service's schema: an interrupted restore has created them, because the database was empty before it. */
export async function clearHalf(database: Queryable): Promise<void> {
  // Each round drops some objects together with their dependants.
  for (let turn = 0; turn < 1_000; turn += 1) {
    const { rows } = await database.query<{ kind: string; name: string }>(ownSql)
    if (rows.length === 0) return
    for (const { kind, name } of rows) await database.query(`DROP ${kind} IF EXISTS ${name} CASCADE`)
  }
  throw new HalfRestoreError('Cannot remove what an interrupted restore left behind. Drop and recreate the database.')
}
