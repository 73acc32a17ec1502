import type { Columns, FeedTable } from './feed-tables.ts'
import type { FeedRecord } from './validate-feed.ts'

/**
 * SQL of an import, generated from the table description. Unless stated otherwise, $1 is the dataset and $2 the time of the import. Aliases: `f` feed
 * row, `t` current row, `d` diff.
 */

const names = (table: FeedTable) => Object.keys(table.columns)

/** Creates a temporary table for the feed, with the column types of its table; dropped on commit. Only history feeds have the column `withdrawn`. */
export function createFeed({ table, columns }: Pick<FeedTable, 'table' | 'columns'>): string {
  const cells = Object.keys(columns).map((name) => (name === 'withdrawn' ? 'false AS withdrawn' : name))
  return `CREATE TEMP TABLE market_feed ON COMMIT DROP AS SELECT 0 AS line, ${cells.join(', ')} FROM ${table} WITH NO DATA`
}

/** Copies feed rows: the line number, then a cell for each column. */
export const copyFeed = (columns: Columns) => `COPY market_feed (line, ${Object.keys(columns).join(', ')}) FROM STDIN`

/** Selects the feed rows that reference an unknown provider. */
export function unknownProviders(column: string): string {
  return `SELECT f.line, f.${column} AS slug FROM market_feed f
    WHERE f.${column} IS NOT NULL AND NOT EXISTS (SELECT FROM provider p WHERE p.dataset = $1 AND p.slug = f.${column}) ORDER BY f.line`
}

export const createDiff = 'CREATE TEMP TABLE market_diff (key text PRIMARY KEY, change text NOT NULL) ON COMMIT DROP'

/** Compares the feed with the current rows. $2 is true if the feed is complete, so that rows it omits are withdrawn. */
export function fillDiff(table: FeedTable): string {
  const compared = names(table).filter((name) => name !== table.checked?.column)
  const restored = table.restore === null ? '' : `WHEN NOT (${table.listed}) THEN 'restored'`
  const checked = table.checked === null ? '' : `WHEN f.${table.checked.column} <> t.${table.checked.column} THEN 'checked'`
  return `INSERT INTO market_diff (key, change)
    SELECT key, change FROM (
      SELECT coalesce(f.${table.key}, t.${table.key}) AS key,
        CASE WHEN t.${table.key} IS NULL THEN 'added'
             WHEN f.${table.key} IS NULL THEN CASE WHEN $2 AND ${table.listed} THEN 'withdrawn' END
             ${restored}
             WHEN (${compared.map((name) => `t.${name}`).join(', ')}) IS DISTINCT FROM (${compared.map((name) => `f.${name}`).join(', ')}) THEN 'changed'
             ${checked}
        END AS change
      FROM market_feed f FULL JOIN (SELECT * FROM ${table.table} WHERE dataset = $1) t ON t.${table.key} = f.${table.key}
    ) compared WHERE change IS NOT NULL`
}

/**
 * Selects the first rows of each kind of change, sorted by key, before and after the change. $1 is the dataset, $2 the maximum per kind. Run before the changes
 * are applied.
 */
export function changedRows(table: FeedTable): string {
  return `SELECT d.key, d.change, to_jsonb(t) AS before, to_jsonb(f) AS after
    FROM (SELECT key, change, row_number() OVER (PARTITION BY change ORDER BY key) AS place FROM market_diff) d
    LEFT JOIN ${table.table} t ON t.dataset = $1 AND t.${table.key} = d.key LEFT JOIN market_feed f ON f.${table.key} = d.key
    WHERE d.place <= $2 ORDER BY d.change, d.key`
}

export const countListed = (table: FeedTable) => `SELECT count(*)::int AS listed FROM ${table.table} t WHERE t.dataset = $1 AND ${table.listed}`

export const countDiff = 'SELECT change, count(*)::int AS rows FROM market_diff GROUP BY change'

export function addRows(table: FeedTable): string {
  const values = names(table).map((name) => (name === table.checked?.column ? `coalesce(f.${name}, $2::timestamptz)` : `f.${name}`))
  const stamps = table.hasCreatedAt ? ['created_at', 'updated_at'] : ['updated_at']
  return `INSERT INTO ${table.table} (dataset, ${[...names(table), ...stamps].join(', ')})
    SELECT $1, ${[...values, ...stamps.map(() => '$2::timestamptz')].join(', ')}
    FROM market_feed f JOIN market_diff d ON d.key = f.${table.key} WHERE d.change = 'added'`
}

export function changeRows(table: FeedTable): string {
  const { checked } = table
  const kept = checked === null ? '' : `CASE WHEN ${checked.keptWhile} THEN t.${checked.column} ELSE $2::timestamptz END`
  const assignments = names(table)
    .filter((name) => name !== table.key)
    .map((name) => `${name} = ${name === checked?.column ? `coalesce(f.${name}, ${kept})` : `f.${name}`}`)
  if (table.restore !== null) assignments.push(table.restore)
  return `UPDATE ${table.table} t SET ${assignments.join(', ')},
      updated_at = CASE d.change WHEN 'checked' THEN t.updated_at ELSE $2::timestamptz END
    FROM market_feed f JOIN market_diff d ON d.key = f.${table.key}
    WHERE t.dataset = $1 AND t.${table.key} = f.${table.key} AND d.change IN ('changed', 'restored', 'checked')`
}

export function withdrawRows(table: FeedTable): string {
  const which = `t.dataset = $1 AND t.${table.key} = d.key AND d.change = 'withdrawn'`
  // A deletion doesn't need the time, but every statement gets the same two parameters.
  if (table.withdraw === null) return `DELETE FROM ${table.table} t USING market_diff d WHERE ${which} AND $2::timestamptz IS NOT NULL`
  return `UPDATE ${table.table} t SET ${table.withdraw}, updated_at = $2::timestamptz FROM market_diff d WHERE ${which}`
}

const special = /[\\\t\n\r]/g
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function toCell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '\\N'
  return typeof value === 'string' ? value.replace(special, (character) => escapes[character] ?? '') : String(value)
}

/** Formats records for PostgreSQL's text COPY: the line number, then the fields in the given order. */
export function copyText(records: readonly FeedRecord[], fields: readonly string[]): string {
  let text = ''
  for (const { line, values } of records) {
    text += line
    for (const field of fields) text += `\t${toCell(values[field])}`
    text += '\n'
  }
  return text
}
