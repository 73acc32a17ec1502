/** States of an account, with their labels. */
export const accountStates = {
  review: 'In review',
  refused: 'Declined',
  open: 'Approved',
  blocked: 'Blocked',
  unconfirmed: 'Not confirmed',
  closed: 'Closed',
} as const

export type AccountState = keyof typeof accountStates

type StoredState = {
  readonly state: 'review' | 'open' | 'blocked'
  readonly declinedAt: Date | null
  readonly emailVerifiedAt: Date | null
  readonly closedAt: Date | null
}

/** Returns the state to show for an account. Every page uses this function, so that all pages agree. */
export function getAccountState({ state, declinedAt, emailVerifiedAt, closedAt }: StoredState): AccountState {
  if (closedAt !== null) return 'closed'
  if (state !== 'review') return state
  if (declinedAt !== null) return 'refused'
  return emailVerifiedAt === null ? 'unconfirmed' : 'review'
}
