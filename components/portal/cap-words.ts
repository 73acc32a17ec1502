import { moment } from '../ui/dates.ts'

type Spending = {
  readonly mode: 'test' | 'live'
  readonly state: 'active' | 'ending' | 'expired' | 'revoked'
  readonly spentCredits: number
  readonly capCredits: number | null
}

/** Whether a key that otherwise works is refused because its month is spent. */
export const isCapReached = ({ mode, state, spentCredits, capCredits }: Spending): boolean =>
  mode === 'live' && (state === 'active' || state === 'ending') && capCredits !== null && spentCredits >= capCredits

/** Until when, and what else can be done: `This key has spent its cap. Its calls are refused until 1 December 2026, 00:00 UTC.` */
export function capReachedWords(now: Date): string {
  const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
  return `This key has spent its cap. Its calls are refused until ${moment(nextMonth)}. To go on before then, create another key.`
}
