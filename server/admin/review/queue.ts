import type { Pool } from 'pg'
import { type CandidateRow, type CountRow, countAsked, countInDebt, countWaiting, readCandidate, readSimilar, readWaiting } from './queue.store.ts'

/** Beyond so many, others are not counted. */
export const mostOthers = 100
const pageSize = 25
const mostSimilar = 10

/** Somebody who waits for live access, and what tells whether to give it. */
export type Candidate = {
  readonly id: string
  readonly email: string
  readonly name: string
  /** What it says it will build. */
  readonly purpose: string
  readonly signedUpAt: Date
  /** When the wait began. */
  readonly confirmedAt: Date
  readonly hasPassword: boolean
  /** The providers through which it signs in, by their address. */
  readonly issuers: readonly string[]
  readonly domain: string
  /** Other accounts of the domain, and others that signed up from the same address; counted up to `mostOthers`. */
  readonly sameDomain: number
  readonly address: string | null
  readonly sameAddress: number
  /** Calls with test keys as far as they are added up, and when the last was. */
  readonly testCalls: number
  readonly testedAt: Date | null
}

const fromDb = (row: CandidateRow): Candidate => ({
  id: row.public_id,
  email: row.email,
  name: row.name,
  purpose: row.purpose,
  signedUpAt: row.created_at,
  confirmedAt: row.email_verified_at,
  hasPassword: row.has_password,
  issuers: row.issuers,
  domain: row.domain,
  sameDomain: Number(row.same_domain),
  address: row.address,
  sameAddress: Number(row.same_address),
  testCalls: Number(row.test_calls),
  testedAt: row.tested_at,
})

/** Who waits for the review, longest first, 25 a page; `next` is the id to go on behind, or null. */
export async function reviewQueue(pool: Pool, after: string | null): Promise<{ candidates: Candidate[]; next: string | null }> {
  const rows = await readWaiting(pool, after, { counted: mostOthers, rows: pageSize + 1 })
  const candidates = rows.slice(0, pageSize).map(fromDb)
  return { candidates, next: rows.length > pageSize ? (candidates.at(-1)?.id ?? null) : null }
}

/** Another account that may be the same people's. */
export type Similar = {
  readonly id: string
  readonly email: string
  readonly state: 'review' | 'open' | 'blocked'
  readonly isDeclined: boolean
  readonly signedUpAt: Date
  readonly hasSameAddress: boolean
  readonly hasSameDomain: boolean
}

/** Somebody who waits, with the accounts like theirs: the ten newest from the same address and of the same domain. Null: the account does not wait. */
export async function candidateOf(pool: Pool, accountId: number): Promise<(Candidate & { similar: Similar[] }) | null> {
  const row = await readCandidate(pool, accountId, mostOthers)
  if (!row) return null
  const similar = (await readSimilar(pool, accountId, mostSimilar)).map((one) => ({
    id: one.public_id,
    email: one.email,
    state: one.state,
    isDeclined: one.declined_at !== null,
    signedUpAt: one.created_at,
    hasSameAddress: one.by_address,
    hasSameDomain: one.by_domain,
  }))
  return { ...fromDb(row), similar }
}

/** How many of a kind need somebody, and since when the first of them does. */
export type Waiting = { readonly count: number; readonly oldest: Date | null }

/** Beyond so many they are not counted. */
export const mostWaiting = 1_000

const counted = (row: CountRow | undefined): Waiting => ({ count: Number(row?.n ?? 0), oldest: row?.oldest ?? null })

export const waitingReviews = async (pool: Pool): Promise<Waiting> => counted(await countWaiting(pool, mostWaiting + 1))
export const askedWebhooks = async (pool: Pool): Promise<Waiting> => counted(await countAsked(pool, mostWaiting + 1))
export const accountsInDebt = async (pool: Pool): Promise<Waiting> => counted(await countInDebt(pool, mostWaiting + 1))
