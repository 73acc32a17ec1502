import { codeOf } from './error-parts.ts'

const damaged =
  'PostgreSQL found a damaged page. Keep a copy of its data files, then restore the last backup that verifies: docs/runbooks.md, "A damaged page".'

/** What an operator does about an error of PostgreSQL, by SQLSTATE. */
const advice: Readonly<Record<string, string>> = {
  '28000': 'Allow this user, database and address in pg_hba.conf, or correct DATABASE_URL.',
  '28P01': 'Correct the user or the password in DATABASE_URL.',
  '3D000': 'Create the database, or correct its name in DATABASE_URL.',
  '25006': 'The database only accepts reads, as a standby does. Set DATABASE_URL to the primary server.',
  '42501': 'The database role lacks a right. See docs/operations.md, "Two database roles".',
  '53100': 'The disk of the database is full. Free space on it or enlarge it; the service continues by itself: docs/runbooks.md, DatabaseCannotWrite.',
  '58030': 'PostgreSQL cannot read or write its files. Look at its own log and at the disk.',
  XX001: damaged,
  XX002: damaged,
}

/** Returns what to do about an error of PostgreSQL, or null where the error says enough by itself. */
export function databaseAdvice(error: unknown): string | null {
  return advice[String(codeOf(error))] ?? null
}

/** SQLSTATE of a full disk. */
export const diskFull = '53100'
