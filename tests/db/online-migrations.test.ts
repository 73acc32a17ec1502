import { expect, test } from 'vitest'
import { readMigrations } from '#server/db/migrations.sql.ts'
import { onlineFaults } from './online-rules.ts'
import { probes } from './probe-migrations.ts'

/** Baseline migrations, which create the tables and functions in an empty database. */
const lastBefore = '20261125000001_functions'

test('new migrations block neither a running service nor the previous release', async () => {
  const all = await readMigrations()
  expect(all.map(({ name }) => name)).toContain(lastBefore)
  const added = all.filter(({ name }) => name > lastBefore)
  const faults = added.flatMap(({ name, sql }, place) => {
    const earlier = added.slice(0, place).map((one) => one.sql)
    return onlineFaults(sql, earlier).map(({ statement, problem }) => `${name}: ${statement} — ${problem}`)
  })
  expect(faults).toEqual([])
})

test('the migrations that other tests apply under load follow the rules for online migrations', () => {
  expect(probes.flatMap(({ sql }) => onlineFaults(sql))).toEqual([])
})

const rejected: [sql: string, problem: RegExp][] = [
  ['ALTER TABLE account ADD COLUMN token uuid NOT NULL DEFAULT gen_random_uuid()', /rewrites every row/],
  ['ALTER TABLE account ADD COLUMN number bigserial', /rewrites every row/],
  ['ALTER TABLE account ADD COLUMN note text NOT NULL', /previous release, which doesn't know the column/],
  ['ALTER TABLE "account" ADD COLUMN plan_id bigint REFERENCES plan (id)', /add the column alone/],
  ['ALTER TABLE account ALTER COLUMN note SET NOT NULL', /first ADD CONSTRAINT/],
  ['CREATE INDEX log_at ON request_log (at)', /CONCURRENTLY, alone/],
  ['CREATE UNIQUE INDEX entry_reference ON ledger_entry (reference)', /CONCURRENTLY, alone/],
  ['CREATE INDEX CONCURRENTLY log_at ON request_log (at)', /partitioned/],
  ['CREATE INDEX CONCURRENTLY a ON account (name);\nSELECT 1', /alone into a migration/],
  ['DROP INDEX account_email_key', /DROP INDEX CONCURRENTLY/],
  ['ALTER TABLE api_key ALTER COLUMN hint TYPE varchar(8)', /add a column of the new type/],
  ['ALTER TABLE api_key DROP COLUMN hint', /previous release still uses it/],
  ['DROP TABLE throttle', /previous release still uses it/],
  ['ALTER TABLE api_key RENAME COLUMN hint TO ending', /old name/],
  ['ALTER TABLE api_key ADD CONSTRAINT short CHECK (length(hint) < 9)', /NOT VALID/],
  ['ALTER TABLE api_key ADD CONSTRAINT owner FOREIGN KEY (account_id) REFERENCES account (id)', /NOT VALID/],
  ['ALTER TABLE api_key ADD CONSTRAINT short CHECK (length(hint) < 9) NOT VALID;\nALTER TABLE api_key VALIDATE CONSTRAINT short', /into a separate migration/],
  ['ALTER TABLE account ADD CONSTRAINT once UNIQUE (name)', /USING INDEX/],
  ["UPDATE account SET name = 'x;y'", /in batches/],
  ['DO $$ BEGIN PERFORM 1; END $$', /write plain statements/],
  ['-- blocks: short\nCREATE INDEX a ON account (name)', /CONCURRENTLY, alone/],
]

test.each(rejected)('rejects %s', (sql, problem) => {
  expect(onlineFaults(sql).map((fault) => fault.problem)).toEqual([expect.stringMatching(problem)])
})

const allowed = [
  "ALTER TABLE account ADD COLUMN note text NOT NULL DEFAULT '', ADD COLUMN seen_at timestamptz",
  'CREATE TABLE plan (id bigint PRIMARY KEY, name text NOT NULL CHECK (name <> $$DROP TABLE x$$));\nCREATE INDEX plan_name ON plan (name);\nALTER TABLE plan ADD CONSTRAINT c CHECK (id > 0)',
  'CREATE INDEX CONCURRENTLY a ON account (name)',
  '-- An index.\nDROP INDEX CONCURRENTLY account_email_key;',
  'CREATE OR REPLACE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN DROP TABLE x; END $$',
  '-- blocks: this release is the first, and the table is empty.\nCREATE INDEX a ON account (name)',
  'CREATE INDEX a ON bulk_email (id);\nUPDATE service_state SET version = version + 1',
]

test.each(allowed)('allows %s', (sql) => {
  expect(onlineFaults(sql)).toEqual([])
})

test('allows SET NOT NULL after a validated constraint that excludes nulls', () => {
  const steps = ['ALTER TABLE account ADD CONSTRAINT named CHECK (name IS NOT NULL) NOT VALID', 'ALTER TABLE account VALIDATE CONSTRAINT named']
  const last = 'ALTER TABLE account ALTER COLUMN name SET NOT NULL'
  expect([onlineFaults(last, steps.slice(0, 1)).length, onlineFaults(last, steps)]).toEqual([1, []])
})
