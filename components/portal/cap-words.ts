type Spending = {
  readonly mode: 'test' | 'live'
  readonly state: 'active' | 'ending' | 'expired' | 'revoked'
  readonly spentCredits: number
  readonly capCredits: number | null
}

/** Whether a key that otherwise works is refused because its month is spent. */
export const isCapReached = ({ mode, state, spentCredits, capCredits }: Spending): boolean =>
  mode === 'live' && (state === 'active' || state === 'ending') && capCredits !== null && spentCredits >= capCredits

/** When caps begin anew: months are UTC. */
export const nextMonth = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
