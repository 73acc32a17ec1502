import type { Limits, Plan } from './access.ts'

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
  /** Reason for declining the account, shown to the customer. */
  readonly declineReason: string | null
  /** Reason for a block, shown to callers. */
  readonly blockReason: string | null
  /** Reason for a block, shown only to administrators. */
  readonly blockReasonPrivate: string | null
  /** Effective limits. `ownPerMinute` and `ownPerDay` are the account's overrides; null uses the limit of the plan. */
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
  /** Maximum credits per UTC month; null means no cap. */
  readonly capCredits: number | null
}

/** Status of a scheduled job. A job that runs for the lifetime of its process has started and never finishes. */
export type JobRun = {
  readonly name: string
  /** Start of the current run; null if no run is in progress. */
  readonly begunAt: Date | null
  readonly okAt: Date | null
  readonly tookMs: number | null
  readonly failedAt: Date | null
  /** Message of the last failure; null if there was none. */
  readonly fault: string | null
}

/** Estimated size of a table; partitions are added up. */
type TableSize = { readonly name: string; readonly rows: number; readonly bytes: number }

type DatabaseSize = { readonly bytes: number; readonly tables: readonly TableSize[] }

/** Operational data for the admin area. */
export type Operations = {
  readonly jobRuns: () => Promise<readonly JobRun[]>
  readonly databaseSize: () => Promise<DatabaseSize>
}
