import { getLimits, type Limits, type Plan, plans } from '#server/api/contract/access.ts'
import { accountStates } from '#server/api/contract/account-state.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import type { Database } from '#server/db/prisma.ts'
import { ownKeys } from '#server/keys/own-keys.ts'
import { loadAdminAccount } from './account-list.ts'
import { type ReviewEmail, renderBlockEmail, renderReviewEmail } from './queue.ts'

/** Change to an account that an administrator can preview. */
export type PlannedChange =
  | { readonly kind: 'block' | 'decline'; readonly customerMessage: string }
  | { readonly kind: 'plan'; readonly plan: Plan }
  /** Null means the plan's limit. */
  | { readonly kind: 'limits'; readonly perMinute: number | null; readonly perDay: number | null }
  | { readonly kind: 'key'; readonly id: string }

/** Effects of a planned admin action, one sentence each, and the email that it sends. */
export type ActionPreview = { readonly lines: readonly string[]; readonly message: ReviewEmail | null; readonly button?: string }

type Account = Awaited<ReturnType<typeof loadAdminAccount>>

const number = (value: number): string => value.toLocaleString('en-GB')

/** Describes a change, such as `Plan: Hobby → Pro.`, or says that the value is unchanged. */
const step = (what: string, before: string, after: string): string => (before === after ? `${what}: ${before}, unchanged.` : `${what}: ${before} → ${after}.`)

const limitLines = (before: Limits, after: Limits): string[] => [
  step('Calls per minute for each live key', number(before.perMinute), number(after.perMinute)),
  step('Live calls per day', number(before.perDay), number(after.perDay)),
]

const atOnce = 'Effective immediately.'

const blockLines = ({ standing }: Account, customerMessage: string): string[] => [
  step('Account', accountStates[standing], accountStates.blocked),
  `All keys of the account, including test keys, get 403 account_blocked immediately${customerMessage === '' ? ', without a reason' : ''}.`,
  customerMessage === ''
    ? 'The portal shows that the account is blocked, without a reason.'
    : `API errors and the portal show: “This account is blocked. Contact support. Reason: ${customerMessage}”`,
]

const planLines = (account: Account, plan: Plan): string[] => [
  step('Plan', plans[account.plan].label, plans[plan].label),
  ...limitLines(account.limits, getLimits(plan, { perMinute: account.ownPerMinute, perDay: account.ownPerDay })),
  atOnce,
]

const ownLimitLines = (account: Account, own: { perMinute: number | null; perDay: number | null }): string[] => [
  ...limitLines(account.limits, getLimits(account.plan, own)),
  own.perMinute === null && own.perDay === null
    ? `These are the limits of the ${plans[account.plan].label} plan.`
    : 'These limits stay in effect when the plan changes.',
  atOnce,
]

const declineLines = ({ standing }: Account): string[] => [
  step('Account', accountStates[standing], accountStates.refused),
  'The account leaves the review queue. Live keys get 403 account_blocked with the reason review_declined; test keys keep working. You can approve the account later.',
]

async function revokeLines(db: Database, accountId: number, id: string): Promise<string[]> {
  const key = (await ownKeys(db, accountId)).find((one) => one.id === id)
  if (key === undefined) throw new FieldsError({ id: 'Choose a key.' })
  return [
    `${key.name === '' ? 'Unnamed key' : key.name}, ${key.hint}: Active → Revoked.`,
    key.usedAt === null ? 'The key has never been used.' : 'Calls with this key fail immediately.',
    'This can’t be undone. The customer has to create a new key.',
  ]
}

/** Previews a change to an account: what the administrator confirms. @throws FieldsError */
export async function previewChange(db: Database, publicUrl: string, accountId: number, change: PlannedChange): Promise<ActionPreview> {
  const account = await loadAdminAccount(db, accountId)
  const { kind } = change
  if (kind === 'block') {
    const { customerMessage: reason } = change
    return { lines: blockLines(account, reason), message: await renderBlockEmail(db, publicUrl, accountId, reason === '' ? null : reason) }
  }
  if (kind === 'plan') return { lines: planLines(account, change.plan), message: null }
  if (kind === 'limits') return { lines: ownLimitLines(account, change), message: null }
  if (kind === 'key') return { lines: await revokeLines(db, accountId, change.id), message: null }
  return { lines: declineLines(account), message: await renderReviewEmail(db, publicUrl, accountId, change.customerMessage) }
}
