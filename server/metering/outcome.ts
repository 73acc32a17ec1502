/** What the admission statement decided; the numbers are those that `admit` returns. */
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
  /** A replay that is answered with the page that the gateway kept of the first call. */
  replayOfKept: 11,
  /** A replay whose page is gone: neither the present page nor a kept one is the one that was paid for. */
  replayUnavailable: 12,
} as const

export type Verdict = (typeof verdicts)[keyof typeof verdicts]

export type Outcome = {
  readonly verdict: Verdict
  /** Rows or calls granted, and the credits taken for them. */
  readonly units: number
  readonly credits: number
  /** Balance of the account after this request, in credits. */
  readonly balance: number
  readonly minuteLimit: number
  readonly minuteLeft: number
  readonly dayLimit: number
  readonly dayLeft: number
  readonly serviceVersion: number
  /** The database's clock when it decided, in milliseconds since 1970. */
  readonly now: number
  /** Tag of the page that was paid for, if the verdict is `replayUnavailable`. */
  readonly paidTag?: string
}
