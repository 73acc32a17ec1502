import type { PrismaClientKnownRequestError } from '@prisma/client/runtime/client'

/** Prisma's error, which contains PostgreSQL's error. */
type PrismaError = Partial<Pick<PrismaClientKnownRequestError, 'meta'>>
type DriverError = { readonly cause?: { readonly originalCode?: unknown } }

/** Returns the code of a Node or PostgreSQL error ('ENOENT', '57P03'), including one reported by Prisma, or an empty string. */
export function getCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  const driverError = (error as PrismaError).meta?.['driverAdapterError'] as DriverError | undefined
  const original = driverError?.cause?.originalCode
  if (typeof original === 'string') return original
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Returns true if the error is a unique constraint violation. */
export const isDuplicate = (error: unknown): boolean => getCode(error) === '23505'

export const getMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const damaged = 'PostgreSQL found a damaged page. Keep a copy of the data files, then restore the latest intact backup: docs/runbooks.md, "A damaged page".'

/** Advice for the operator, by SQLSTATE. */
const advice: Readonly<Record<string, string>> = {
  '28000': 'Allow this user, database and address in pg_hba.conf, or correct DATABASE_URL.',
  '28P01': 'Correct the user or the password in DATABASE_URL.',
  '3D000': 'Create the database, or correct its name in DATABASE_URL.',
  '25006': 'The database is read-only; it may be a standby. Set DATABASE_URL to the primary, or to all servers.',
  '42501': 'The database role lacks a privilege. See docs/operations.md, "Two database roles".',
  '53100':
    'The database disk is full. Free some space or enlarge the disk; the service then recovers automatically. See docs/runbooks.md, DatabaseCannotWrite.',
  '58030': 'PostgreSQL cannot read or write its files. Check its log and the disk.',
  XX001: damaged,
  XX002: damaged,
}

/** Returns advice for a PostgreSQL error, or null if the message is sufficient. */
export function databaseAdvice(error: unknown): string | null {
  return advice[String(getCode(error))] ?? null
}

/** SQLSTATE of a full disk. */
export const diskFull = '53100'
