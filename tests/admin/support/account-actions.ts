import type { Database } from '#server/db/prisma.ts'
import type { ApiAnswer, TestAccount } from '../../support/accounts.ts'
import { createTestAdminCaller } from './admin-caller.ts'

/** Admin action on an account with its expected effect on the next API call. */
export type AccountAction = {
  readonly does: () => Promise<unknown>
  /** Account whose API key is used for the next call: the approved account or the one in review. */
  readonly by: 'open' | 'waiting'
  readonly path: string
  readonly seen: (answer: ApiAnswer) => unknown
  readonly shows: unknown
}

const refusal = ({ body }: ApiAnswer): unknown => [body.error, body.reason]

/** Returns several rounds of all admin actions that affect API calls, with their expected effects. */
export function accountActions(pool: Database, admin: TestAccount, open: { account: TestAccount; keyId: string }, waiting: TestAccount): AccountAction[] {
  const { accounts, review } = createTestAdminCaller(pool, admin).admin
  const reason = 'A test.'
  const [one, other] = [
    { account: open.account.publicId, reason },
    { account: waiting.publicId, reason },
  ]
  const getPlan = ({ body }: ApiAnswer): unknown => body.data.account.plan
  const rounds = [1, 2, 3].flatMap((round): AccountAction[] => [
    {
      does: () => accounts.setLimits({ ...one, perMinute: 70_000 + round, perDay: null }),
      by: 'open',
      path: '/ping',
      seen: ({ headers }) => headers.get('x-ratelimit-limit'),
      shows: String(70_000 + round),
    },
    {
      does: () => accounts.block({ ...one, customerMessage: `Round ${round}.` }),
      by: 'open',
      path: '/ping',
      seen: refusal,
      shows: ['account_blocked', `Round ${round}.`],
    },
    { does: () => accounts.unblock(one), by: 'open', path: '/rates?limit=1', seen: ({ status }) => status, shows: 200 },
    { does: () => accounts.setPlan({ ...one, plan: 'business' }), by: 'open', path: '/me', seen: getPlan, shows: 'business' },
    { does: () => accounts.setPlan({ ...one, plan: 'enterprise' }), by: 'open', path: '/me', seen: getPlan, shows: 'enterprise' },
  ])
  return [
    ...rounds,
    { does: () => accounts.revokeKey({ ...one, id: open.keyId }), by: 'open', path: '/ping', seen: ({ body }) => body.error, shows: 'key_revoked' },
    { does: async () => undefined, by: 'waiting', path: '/ping', seen: refusal, shows: ['account_blocked', 'review_pending'] },
    {
      does: () => review.decline({ ...other, customerMessage: 'No.' }),
      by: 'waiting',
      path: '/ping',
      seen: refusal,
      shows: ['account_blocked', 'review_declined'],
    },
    { does: () => review.approve(other), by: 'waiting', path: '/ping', seen: ({ status }) => status, shows: 200 },
  ]
}
