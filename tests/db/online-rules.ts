/**
 * Rules for migrations of a running service: they must not block calls or remove what the previous release uses. An exception is marked on the line before the
 * statement: `-- blocks: why that is harmless here`.
 */
export type Fault = { readonly statement: string; readonly problem: string }

type Statement = { readonly sql: string; readonly isAllowed: boolean }

/** Tables of at most a few thousand rows, on which an index is built instantly. All others count as large. */
const small = new Set(
  `account_offer alert_progress billing_check card changelog_draft changelog_entry credit_adjustment endpoint_override incident incident_update quarantined_import licence_draft
   licence_version bulk_email market_import view_as product_correction provider service_quality uptime_check service_state service_traffic refresh_request switch_offer
   usage_progress webhook_account webhook_progress`.split(/\s+/),
)

const allowed = /--\s*blocks: \S.{14,}/
const word = '"?([a-z_][a-z0-9_]*)"?'

/** Splits a script into statements, each on one line. Strips comments and quotes, and replaces strings and function bodies with placeholders. */
function parseStatements(script: string): Statement[] {
  const bare = script
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "'body'")
    .replace(/'(?:[^']|'')*'/g, "'text'")
    .replace(/--[^\n]*/g, (comment) => (allowed.test(comment) ? '/*allowed*/' : ''))
  return bare
    .split(';')
    .map((text) => ({ isAllowed: text.includes('/*allowed*/'), sql: text.replace('/*allowed*/', '').replace(/"/g, '').replace(/\s+/g, ' ').trim() }))
    .filter(({ sql }) => sql !== '')
}

type Rule = readonly [pattern: RegExp, problem: string]

const rules: readonly Rule[] = [
  [
    /\bADD COLUMN\b.*\bDEFAULT (?!now\(\)|current_)[a-z_]+\(|\bADD COLUMN\b.*\b(?:big|small)?serial\b|\bADD COLUMN\b.*\bGENERATED\b/i,
    'rewrites every row while the table is locked: add the column without a default (or with a constant), and backfill it in batches by a job.',
  ],
  [
    /\bADD COLUMN\b(?:(?!\bDEFAULT\b|,).)*\bNOT NULL\b(?!.*\bDEFAULT\b)/i,
    "fails for existing rows, and for the previous release, which doesn't know the column: give it a constant default, or allow null.",
  ],
  [
    /\bADD COLUMN\b.*\b(?:REFERENCES|CHECK|UNIQUE|PRIMARY KEY)\b/i,
    'checks the whole table under a lock: add the column alone, then the constraint NOT VALID, then VALIDATE CONSTRAINT in a separate migration.',
  ],
  [
    /\bADD CONSTRAINT\b(?!.*\bNOT VALID\b).*\b(?:FOREIGN KEY|CHECK)\b|\bADD (?:FOREIGN KEY|CHECK)\b(?!.*\bNOT VALID\b)/i,
    'checks the whole table under a lock: add it NOT VALID, then VALIDATE CONSTRAINT in a separate migration.',
  ],
  [
    /\bADD (?:CONSTRAINT \w+ )?(?:UNIQUE|PRIMARY KEY)\b(?! USING INDEX)|\bADD CONSTRAINT \w+ EXCLUDE\b/i,
    'builds an index under a lock: use CREATE UNIQUE INDEX CONCURRENTLY in a separate migration, then ADD CONSTRAINT … USING INDEX.',
  ],
  [
    /\bALTER (?:COLUMN )?\w+ (?:SET DATA )?TYPE\b/i,
    'rewrites every row, and the previous release reads the old type: add a column of the new type, write both, and switch in the next release.',
  ],
  [
    /\bDROP COLUMN\b|^DROP TABLE\b|^DROP (?:VIEW|TYPE|FUNCTION|SCHEMA)\b/i,
    'the previous release still uses it while both run: stop using it now, and drop it in a later release.',
  ],
  [/\bRENAME\b/i, 'the previous release still uses the old name: add the new one as well, and drop the old one in a later release.'],
  [
    /^DROP INDEX (?!CONCURRENTLY)/i,
    'waits for all readers of the table and blocks everyone after it: use DROP INDEX CONCURRENTLY, alone in a separate migration.',
  ],
  [/^(?:LOCK|CLUSTER|VACUUM|TRUNCATE|REINDEX (?!.*CONCURRENTLY)|REFRESH MATERIALIZED VIEW (?!CONCURRENTLY))/i, 'locks the table while it runs.'],
  [/^DO\b/i, "contains code that this check can't read: write plain statements instead."],
]

/** Rules for large tables. On small tables, these statements are instant. */
const largeTableRules: readonly Rule[] = [
  [
    /^CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)/i,
    'blocks all writes to the table during the build: use CREATE INDEX CONCURRENTLY, alone in a separate migration.',
  ],
  [/^(?:UPDATE|DELETE FROM)\b/i, 'locks the rows of a large table in one transaction: do it in batches by a job.'],
]

const getTable = (sql: string): string | undefined => {
  const index = new RegExp(`^CREATE (?:UNIQUE )?INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?(?:${word} )?ON (?:ONLY )?${word}`, 'i').exec(sql)
  const table = new RegExp(`^(?:ALTER TABLE|UPDATE|DELETE FROM|TRUNCATE(?: TABLE)?|LOCK(?: TABLE)?) (?:IF EXISTS )?(?:ONLY )?${word}`, 'i').exec(sql)
  return index?.[2] ?? table?.[1]
}

/** Checks SET NOT NULL, which is instant with a validated constraint but otherwise scans the table under a lock. */
function checkNotNull(sql: string, before: readonly string[]): string | null {
  const [, table = '', column = ''] = new RegExp(`^ALTER TABLE (?:ONLY )?${word} .*ALTER (?:COLUMN )?${word} SET NOT NULL`, 'i').exec(sql) ?? []
  if (table === '') return null
  const added = new RegExp(`^ALTER TABLE (?:ONLY )?${table} ADD CONSTRAINT (\\w+) CHECK \\( ?${column} IS NOT NULL ?\\) NOT VALID`, 'i')
  const name = before.flatMap((one) => added.exec(one)?.[1] ?? [])[0]
  const isChecked = name !== undefined && before.some((one) => new RegExp(`VALIDATE CONSTRAINT ${name}\\b`, 'i').test(one))
  return isChecked
    ? null
    : 'scans the table under a lock: first ADD CONSTRAINT … CHECK (… IS NOT NULL) NOT VALID, then VALIDATE CONSTRAINT, each in a separate migration.'
}

const isConcurrent = (sql: string) => /^(?:CREATE (?:UNIQUE )?|DROP |RE)INDEX (?:.* )?CONCURRENTLY\b/i.test(sql)

function checkStatement({ sql }: Statement, own: readonly Statement[], before: readonly string[]): string[] {
  const made = new Set(own.flatMap((one) => new RegExp(`^CREATE TABLE (?:IF NOT EXISTS )?${word}`, 'i').exec(one.sql)?.[1] ?? []))
  const target = getTable(sql) ?? ''
  if (made.has(target)) return []
  const held = small.has(target) ? rules : [...rules, ...largeTableRules]
  const found = held.flatMap(([pattern, problem]) => (pattern.test(sql) ? [problem] : []))
  const validated = /VALIDATE CONSTRAINT (\w+)/i.exec(sql)?.[1]
  const isAddedHere = validated !== undefined && own.some((one) => new RegExp(`ADD CONSTRAINT ${validated}\\b`, 'i').test(one.sql))
  return [
    ...found,
    ...(isAddedHere ? ['scans the table under the lock taken by adding the constraint: put VALIDATE CONSTRAINT into a separate migration.'] : []),
    ...(isConcurrent(sql) && own.length > 1 ? ['cannot run in a transaction with other statements: put it alone into a migration.'] : []),
    ...(isConcurrent(sql) && target === 'request_log'
      ? ['the log is partitioned: use CREATE INDEX … ON ONLY request_log, then CONCURRENTLY on each partition, then ATTACH PARTITION.']
      : []),
    ...[checkNotNull(sql, before) ?? []].flat(),
  ]
}

/** Returns the statements of a migration that would block or break a running service. `earlier` contains the SQL of the preceding new migrations. */
export function onlineFaults(script: string, earlier: readonly string[] = []): Fault[] {
  const own = parseStatements(script)
  const before = earlier.flatMap((text) => parseStatements(text).map(({ sql }) => sql))
  return own
    .filter(({ isAllowed }) => !isAllowed)
    .flatMap((statement) => checkStatement(statement, own, before).map((problem) => ({ statement: statement.sql.slice(0, 120), problem })))
}
