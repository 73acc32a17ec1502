/**
 * What a migration must not do to a database that serves: block its calls, or take away what the previous release uses. A statement that has to do it all the
 * same says so in the line before it: `-- blocks: why that is harmless here`.
 */
export type Fault = { readonly statement: string; readonly problem: string }

type Statement = { readonly sql: string; readonly isAllowed: boolean }

/** Tables that stay at some thousand rows, whatever the service is used for: an index of one is built in a moment. Every other one counts as large. */
const small = new Set(
  `account_offer alert_progress billing_check card changelog_draft changelog_entry credit_adjustment endpoint_override held_feed job_run licence_draft
   licence_version mailing market_import portal_viewing product_correction provider service_quality service_reading service_state service_traffic source_order switch_offer
   usage_progress webhook_account webhook_progress`.split(/\s+/),
)

const allowed = /--\s*blocks: \S.{14,}/
const word = '"?([a-z_][a-z0-9_]*)"?'

/** Statements with their texts, bodies and comments taken out, as far as they are one: on one line, without quotes around names. */
function statementsOf(script: string): Statement[] {
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
    'writes every row anew while the table is locked: add the column without a default (or with a constant), and fill it in pieces by a job.',
  ],
  [
    /\bADD COLUMN\b(?:(?!\bDEFAULT\b|,).)*\bNOT NULL\b(?!.*\bDEFAULT\b)/i,
    'fails on rows that are there, and for the previous release that does not know it: give the column a constant default, or let it be null.',
  ],
  [
    /\bADD COLUMN\b.*\b(?:REFERENCES|CHECK|UNIQUE|PRIMARY KEY)\b/i,
    'checks the whole table under a lock: add the column alone, then the constraint NOT VALID, then VALIDATE CONSTRAINT in a migration of its own.',
  ],
  [
    /\bADD CONSTRAINT\b(?!.*\bNOT VALID\b).*\b(?:FOREIGN KEY|CHECK)\b|\bADD (?:FOREIGN KEY|CHECK)\b(?!.*\bNOT VALID\b)/i,
    'checks the whole table under a lock: add it NOT VALID, then VALIDATE CONSTRAINT in a migration of its own.',
  ],
  [
    /\bADD (?:CONSTRAINT \w+ )?(?:UNIQUE|PRIMARY KEY)\b(?! USING INDEX)|\bADD CONSTRAINT \w+ EXCLUDE\b/i,
    'builds an index under a lock: make it by CREATE UNIQUE INDEX CONCURRENTLY in a migration of its own, then ADD CONSTRAINT … USING INDEX.',
  ],
  [
    /\bALTER (?:COLUMN )?\w+ (?:SET DATA )?TYPE\b/i,
    'writes every row anew, and the previous release reads the old type: add a column of the new type, write both, and move over in the next release.',
  ],
  [
    /\bDROP COLUMN\b|^DROP TABLE\b|^DROP (?:VIEW|TYPE|FUNCTION|SCHEMA)\b/i,
    'the previous release still uses it while both run: stop using it now, and drop it in a later release.',
  ],
  [/\bRENAME\b/i, 'the previous release still uses the old name: add the new one beside it, and drop the old one in a later release.'],
  [
    /^DROP INDEX (?!CONCURRENTLY)/i,
    'waits for all who read the table and holds back who comes after: DROP INDEX CONCURRENTLY, alone in a migration of its own.',
  ],
  [/^(?:LOCK|CLUSTER|VACUUM|TRUNCATE|REINDEX (?!.*CONCURRENTLY)|REFRESH MATERIALIZED VIEW (?!CONCURRENTLY))/i, 'locks the table for as long as it takes.'],
  [/^DO\b/i, 'nobody can see what a block does: write it as statements.'],
]

/** What is a matter of moments on a small table. */
const rulesOfLarge: readonly Rule[] = [
  [
    /^CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)/i,
    'stops all writes to the table while it is built: CREATE INDEX CONCURRENTLY, alone in a migration of its own.',
  ],
  [/^(?:UPDATE|DELETE FROM)\b/i, 'holds the rows of a large table in one transaction: do it in pieces by a job.'],
]

const targetOf = (sql: string): string | undefined => {
  const index = new RegExp(`^CREATE (?:UNIQUE )?INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?(?:${word} )?ON (?:ONLY )?${word}`, 'i').exec(sql)
  const table = new RegExp(`^(?:ALTER TABLE|UPDATE|DELETE FROM|TRUNCATE(?: TABLE)?|LOCK(?: TABLE)?) (?:IF EXISTS )?(?:ONLY )?${word}`, 'i').exec(sql)
  return index?.[2] ?? table?.[1]
}

/** SET NOT NULL only looks at the constraint where one was validated before; without one it looks at every row under a lock. */
function notNullFault(sql: string, before: readonly string[]): string | null {
  const [, table = '', column = ''] = new RegExp(`^ALTER TABLE (?:ONLY )?${word} .*ALTER (?:COLUMN )?${word} SET NOT NULL`, 'i').exec(sql) ?? []
  if (table === '') return null
  const added = new RegExp(`^ALTER TABLE (?:ONLY )?${table} ADD CONSTRAINT (\\w+) CHECK \\( ?${column} IS NOT NULL ?\\) NOT VALID`, 'i')
  const name = before.flatMap((one) => added.exec(one)?.[1] ?? [])[0]
  const isChecked = name !== undefined && before.some((one) => new RegExp(`VALIDATE CONSTRAINT ${name}\\b`, 'i').test(one))
  return isChecked
    ? null
    : 'looks at every row under a lock: first ADD CONSTRAINT … CHECK (… IS NOT NULL) NOT VALID, then VALIDATE CONSTRAINT, each in a migration of its own.'
}

const isConcurrent = (sql: string) => /^(?:CREATE (?:UNIQUE )?|DROP |RE)INDEX (?:.* )?CONCURRENTLY\b/i.test(sql)

function faultsOfStatement({ sql }: Statement, own: readonly Statement[], before: readonly string[]): string[] {
  const made = new Set(own.flatMap((one) => new RegExp(`^CREATE TABLE (?:IF NOT EXISTS )?${word}`, 'i').exec(one.sql)?.[1] ?? []))
  const target = targetOf(sql) ?? ''
  if (made.has(target)) return []
  const held = small.has(target) ? rules : [...rules, ...rulesOfLarge]
  const found = held.flatMap(([pattern, problem]) => (pattern.test(sql) ? [problem] : []))
  const validated = /VALIDATE CONSTRAINT (\w+)/i.exec(sql)?.[1]
  const isAddedHere = validated !== undefined && own.some((one) => new RegExp(`ADD CONSTRAINT ${validated}\\b`, 'i').test(one.sql))
  return [
    ...found,
    ...(isAddedHere ? ['looks at every row under the lock that adding took: VALIDATE CONSTRAINT in a migration of its own.'] : []),
    ...(isConcurrent(sql) && own.length > 1 ? ['cannot run in a transaction with others: put it alone into a migration of its own.'] : []),
    ...(isConcurrent(sql) && target === 'request_log'
      ? ['the log has partitions: CREATE INDEX … ON ONLY request_log, then CONCURRENTLY on each partition, then ATTACH PARTITION.']
      : []),
    ...[notNullFault(sql, before) ?? []].flat(),
  ]
}

/** What of a migration would disturb a running service; `earlier` are the texts of those before it, as far as they are new. */
export function onlineFaults(script: string, earlier: readonly string[] = []): Fault[] {
  const own = statementsOf(script)
  const before = earlier.flatMap((text) => statementsOf(text).map(({ sql }) => sql))
  return own
    .filter(({ isAllowed }) => !isAllowed)
    .flatMap((statement) => faultsOfStatement(statement, own, before).map((problem) => ({ statement: statement.sql.slice(0, 120), problem })))
}
