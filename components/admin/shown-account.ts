import type { Limits, Plan } from '../../server/contract/plans.ts'

/** An account as its page at the desk shows it. */
export type ShownAccount = {
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
  readonly declineReason: string | null
  readonly blockReason: string | null
  readonly blockReasonPrivate: string | null
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
  readonly capCredits: number | null
}
