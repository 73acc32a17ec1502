/** What a restore leaves in the database until it is done, so that nobody takes one that was cut off for a database. */
import type { Queryable } from './migrations.ts'

/** A restore that began and did not end, or is not over yet. `file` is the name of the backup. */
export type HalfRestore = { readonly file: string; readonly begunAt: Date }

export class HalfRestoreError extends Error {
  override name = 'HalfRestoreError'
}

// In a schema of its own: a database with tables where ours belong is not migrated for the first time.
const place = 'svc_restore.state'

export async function halfRestore(database: Queryable): Promise<HalfRestore | null> {
  const { rows } = await database.query<{ isThere: boolean }>('SELECT to_regclass($1) IS NOT NULL AS "isThere"', [place])
  if (rows[0]?.isThere !== true) return null
  const state = await database.query<HalfRestore>(`SELECT file, begun_at AS "begunAt" FROM ${place}`)
  return state.rows[0] ?? { file: 'a backup', begunAt: new Date(0) }
}

/** @throws HalfRestoreError where a restore began and did not end. */
export async function refuseHalfRestore(database: Queryable): Promise<void> {
  const half = await halfRestore(database)
  if (half === null) return
  throw new HalfRestoreError(
    `This database is half a restore: ${half.file} was begun at ${half.begunAt.toISOString()} and did not end. Run "svc backup restore" again, which begins anew, or give the service another database.`,
  )
}

/** Marks the database as half a restore of a file, whatever the mark said before. The table alone is mark enough, so no moment is without one. */
export async function markHalf(database: Queryable, file: string): Promise<void> {
  await database.query('CREATE SCHEMA IF NOT EXISTS svc_restore')
  await database.query(`CREATE TABLE IF NOT EXISTS ${place} (file text NOT NULL, begun_at timestamptz NOT NULL DEFAULT now())`)
  // The role that serves requests may be another one, and has to see that it must not start.
  await database.query(`GRANT USAGE ON SCHEMA svc_restore TO PUBLIC; GRANT SELECT ON ${place} TO PUBLIC`)
  await database.query(`DELETE FROM ${place}`)
  await database.query(`INSERT INTO ${place} (file) VALUES ($1)`, [file])
}

export async function unmarkHalf(database: Queryable): Promise<void> {
  await database.query('DROP SCHEMA svc_restore CASCADE')
}

/** What stands where the tables of the service belong, whoever made it, without what came with an extension. The first twenty. */
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

/** Takes away what a restore that was cut off has made. The database was empty when that began. */
export async function clearHalf(database: Queryable): Promise<void> {
  // Each turn takes away some; what depended on them goes with them.
  for (let turn = 0; turn < 1_000; turn += 1) {
    const { rows } = await database.query<{ kind: string; name: string }>(ownSql)
    if (rows.length === 0) return
    for (const { kind, name } of rows) await database.query(`DROP ${kind} IF EXISTS ${name} CASCADE`)
  }
  throw new HalfRestoreError('What a restore that was cut off has left could not be taken away: make the database anew.')
}
