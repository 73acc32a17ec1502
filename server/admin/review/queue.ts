import type { Database } from '#server/db/prisma.ts'
import { plainEmails } from '#server/email/email.ts'
import { renderContent } from '#server/email/email-content.ts'
import { readAdminAccount } from './accounts.store.ts'
import { type CandidateRow, type CountRow, countAsked, countInDebt, countWaiting, readCandidate, readSimilar, readWaiting } from './queue.store.ts'

/** Highest number of similar accounts that is counted. */
export const maxOthers = 100
const pageSize = 25
const maxSimilar = 10

/** Account awaiting live access, with the evidence for the decision. */
export type Candidate = {
  readonly id: string
  readonly email: string
  readonly name: string
  /** Intended use, as entered by the customer. */
  readonly purpose: string
  readonly signedUpAt: Date
  /** Time at which the email was confirmed and the wait for a review began. */
  readonly confirmedAt: Date
  readonly hasPassword: boolean
  /** Issuer URLs of the connected identity providers. */
  readonly issuers: readonly string[]
  readonly domain: string
  /** Number of other accounts with the same email domain, up to `maxOthers`. */
  readonly sameDomain: number
  /** IP address of the sign-up. */
  readonly address: string | null
  /** Number of other accounts with the same sign-up IP address, up to `maxOthers`. */
  readonly sameAddress: number
  /** Number of calls with test keys, as far as they are added up. `testedAt` is the time of the last one. */
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

/** Returns one page of 25 accounts awaiting review, longest wait first. `next` is the id to pass as `after` for the next page, or null. */
export async function reviewQueue(pool: Database, after: string | null): Promise<{ candidates: Candidate[]; next: string | null }> {
  const rows = await readWaiting(pool, after, { counted: maxOthers, rows: pageSize + 1 })
  const candidates = rows.slice(0, pageSize).map(fromDb)
  return { candidates, next: rows.length > pageSize ? (candidates.at(-1)?.id ?? null) : null }
}

/** Account that may belong to the same people as a candidate. */
export type Similar = {
  readonly id: string
  readonly email: string
  readonly state: 'review' | 'open' | 'blocked'
  readonly isDeclined: boolean
  readonly signedUpAt: Date
  readonly hasSameAddress: boolean
  readonly hasSameDomain: boolean
}

/** Returns an account awaiting review with its ten newest similar accounts each by IP address and by domain. Null if it isn't awaiting review. */
export async function findCandidate(pool: Database, accountId: number): Promise<(Candidate & { similar: Similar[] }) | null> {
  const row = await readCandidate(pool, accountId, maxOthers)
  if (!row) return null
  const similar = (await readSimilar(pool, accountId, maxSimilar)).map((one) => ({
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

/** Number of open items of one kind, and the time of the oldest. */
export type Waiting = { readonly count: number; readonly oldest: Date | null }

/** Highest number of open items that is shown exactly. Counting stops at the next number. */
export const maxWaiting = 1_000

const counted = (row: CountRow | undefined): Waiting => ({ count: Number(row?.n ?? 0), oldest: row?.oldest ?? null })

export const waitingReviews = async (pool: Database): Promise<Waiting> => counted(await countWaiting(pool, maxWaiting + 1))
export const askedWebhooks = async (pool: Database): Promise<Waiting> => counted(await countAsked(pool, maxWaiting + 1))
export const accountsInDebt = async (pool: Database): Promise<Waiting> => counted(await countInDebt(pool, maxWaiting + 1))

/** Preview of an email. `recipient` is null if the account's email isn't confirmed; nothing is sent then. */
type ReviewEmail = { readonly recipient: string | null; readonly subject: string; readonly text: string }

/** Renders the email about the outcome of a review. `reason` is null for an approval. */
export async function renderReviewEmail(pool: Database, publicUrl: string, accountId: number, reason: string | null): Promise<ReviewEmail> {
  const account = await readAdminAccount(pool, accountId)
  const recipient = account?.email_verified_at ? account.email : null
  const context = { publicUrl, recipient: recipient ?? '' }
  const message = reason === null ? plainEmails['account-approved'](context) : plainEmails['account-declined'](context, { reason })
  const { subject, text } = renderContent(message, publicUrl)
  return { recipient, subject, text }
}
