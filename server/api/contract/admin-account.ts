import type { Limits, Plan } from './plans.ts'

/** An account as the desk sees it. */
export type AdminAccount = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly isAdmin: boolean
  readonly plan: Plan
  readonly state: 'review' | 'open' | 'blocked'
  readonly isDeclined: boolean
  readonly isConfirmed: boolean
  readonly isClosed: boolean
  readonly approvedAt: Date | null
  readonly declinedAt: Date | null
  /** What the account was told as its review ended with a no. */
  readonly declineReason: string | null
  /** What callers are told of a block, and why it was made. */
  readonly blockReason: string | null
  readonly blockReasonPrivate: string | null
  /** The limits in force, and those that it has of its own; null: its plan's. */
  readonly limits: Limits
  readonly ownPerMinute: number | null
  readonly ownPerDay: number | null
  readonly confirmedAt: Date | null
  readonly licence: string | null
  readonly createdAt: Date
  readonly hasPassword: boolean
  readonly hasSecondFactor: boolean
  readonly issuers: readonly string[]
  readonly balanceCredits: number
  /** Most credits in a UTC month; null: no cap. */
  readonly capCredits: number | null
}
