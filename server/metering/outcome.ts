/** Verdicts of the admission statement, with the numbers that `admit` returns. */
export const verdicts = {
  granted: 0,
  stale: 1,
  ended: 2,
  minuteLimit: 3,
  dayLimit: 4,
  insufficientCredits: 5,
  spendCap: 6,
  ceiling: 7,
  replay: 8,
  idempotencyConflict: 9,
  accountCap: 10,
  /** A replay answered with the page that the gateway kept from the first call. */
  replayOfKept: 11,
  /** A replay whose page is gone: neither the current page nor a kept one is the page that was paid for. */
  replayUnavailable: 12,
} as const

export type Verdict = (typeof verdicts)[keyof typeof verdicts]

export type Outcome = {
  readonly verdict: Verdict
  /** Rows or calls granted, and the credits charged for them. */
  readonly units: number
  readonly credits: number
  /** Account balance after this request, in credits. */
  readonly balance: number
  readonly minuteLimit: number
  readonly minuteLeft: number
  readonly dayLimit: number
  readonly dayLeft: number
  readonly serviceVersion: number
  /** Database clock at the decision, in milliseconds since 1970. */
  readonly now: number
  /** Tag of the page that was paid for, if the verdict is `replayUnavailable`. */
  readonly paidTag?: string
}
