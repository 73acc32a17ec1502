type Spending = {
  readonly mode: 'test' | 'live'
  readonly state: 'active' | 'ending' | 'expired' | 'revoked'
  readonly spentCredits: number
  readonly capCredits: number | null
}

/** True if a live key is rejected because it has spent its monthly cap. */
export const isCapReached = ({ mode, state, spentCredits, capCredits }: Spending): boolean =>
  mode === 'live' && (state === 'active' || state === 'ending') && capCredits !== null && spentCredits >= capCredits

/** Returns the start of the next UTC month, when caps reset. */
export const nextMonth = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
