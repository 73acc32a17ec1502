/** Callers and errors of the current UTC day. Raw SQL, because Prisma can't group by columns of a joined table or look up the roll-ups by account. */
import type { Database } from '#server/db/prisma.ts'
import { notInternal } from './review.sql.ts'

/** Maximum number of callers and of errors returned. */
const maxShown = 10

/** Rolled-up calls of customers today. They are looked up by account, because the primary key starts with the account. */
const today = `account a CROSS JOIN LATERAL (
  SELECT x.endpoint, x.status, x.requests, x.credits FROM usage_day x WHERE x.account_id = a.id AND x.day = $1::date) u`

export type Caller = { readonly account: string; readonly email: string; readonly calls: number; readonly credits: number; readonly rejected: number }

/** Returns the accounts with the most calls on a UTC day such as 2026-11-21. `rejected` counts the calls that got a 4xx response. */
export async function findTopCallers(db: Database, day: string): Promise<Caller[]> {
  const { rows } = await db.query<Caller>(
    `SELECT a.public_id AS account, a.email, sum(u.requests)::float8 AS calls, sum(u.credits)::float8 AS credits,
       coalesce(sum(u.requests) FILTER (WHERE u.status BETWEEN 400 AND 499), 0)::float8 AS rejected
     FROM ${today} WHERE ${notInternal} GROUP BY a.id ORDER BY calls DESC, a.id LIMIT $2`,
    [day, maxShown],
  )
  return rows
}

/** Status and number of an endpoint in the request log, with its calls and the number of accounts that made them. */
export type ErrorCount = { readonly status: number; readonly endpoint: number; readonly calls: number; readonly accounts: number }

/** Returns the most frequent errors that callers got on a UTC day. */
export async function findTopErrors(db: Database, day: string): Promise<ErrorCount[]> {
  const { rows } = await db.query<ErrorCount>(
    `SELECT u.status, u.endpoint, sum(u.requests)::float8 AS calls, count(DISTINCT a.id)::int AS accounts
     FROM ${today} WHERE u.status >= 400 AND ${notInternal} GROUP BY u.status, u.endpoint ORDER BY calls DESC, u.status, u.endpoint LIMIT $2`,
    [day, maxShown],
  )
  return rows
}
