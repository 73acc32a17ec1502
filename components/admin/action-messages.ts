import { number } from '#components/portal/amounts.ts'
import { getLimits, type Limits, type Plan } from '#server/api/contract/access.ts'
import { planLabel, type ShownStanding, stateLabel } from './account-top.tsx'

type Account = ShownStanding & {
  readonly plan: Plan
  readonly limits: Limits
  readonly ownPerMinute: number | null
  readonly ownPerDay: number | null
}

/** Describes a change, such as `Plan: Hobby → Pro.`, or says that the value is unchanged. */
const step = (what: string, before: string, after: string): string => (before === after ? `${what}: ${before}, unchanged.` : `${what}: ${before} → ${after}.`)

const limitLines = (before: Limits, after: Limits): string[] => [
  step('Calls per minute for each live key', number(before.perMinute), number(after.perMinute)),
  step('Live calls per day', number(before.perDay), number(after.perDay)),
]

const atOnce = 'Effective immediately.'

/** Describes the effect of a block. `customerMessage` may be empty. */
export const blockLines = (account: Account, customerMessage: string): string[] => [
  step('Account', stateLabel(account), 'Blocked'),
  `All keys of the account, including test keys, get 403 account_blocked immediately${customerMessage === '' ? ', without a reason' : ''}.`,
  customerMessage === ''
    ? 'The portal shows that the account is blocked, without a reason.'
    : `API errors and the portal show: “This account is blocked. Contact support. Reason: ${customerMessage}”`,
]

export const planLines = (account: Account, plan: Plan): string[] => [
  step('Plan', planLabel(account.plan), planLabel(plan)),
  ...limitLines(account.limits, getLimits(plan, { perMinute: account.ownPerMinute, perDay: account.ownPerDay })),
  atOnce,
]

/** Describes a change of custom limits. Null means the plan's limit. */
export const ownLimitLines = (account: Account, own: { perMinute: number | null; perDay: number | null }): string[] => [
  ...limitLines(account.limits, getLimits(account.plan, own)),
  own.perMinute === null && own.perDay === null ? `These are the limits of the ${planLabel(account.plan)} plan.` : 'They stay in effect when the plan changes.',
  atOnce,
]

export const revokeLines = ({ name, hint, usedAt }: { name: string; hint: string; usedAt: Date | null }): string[] => [
  `${name === '' ? 'Unnamed key' : name}, ${hint}: Active → Revoked.`,
  usedAt === null ? 'It was never used.' : 'Calls with it fail immediately.',
  'This can’t be undone. The customer has to create a new key.',
]

export const declineLines = (account: Account): string[] => [
  step('Account', stateLabel(account), 'Declined'),
  'It leaves the review queue. Live keys get 403 account_blocked with the reason review_declined; test keys keep working. You can approve it later.',
]

/** Success messages by action. */
export const doneMessages: Readonly<Record<string, string>> = {
  approve: 'Account approved. Its live keys work immediately, and the customer is emailed.',
  decline: 'Account declined. The customer is emailed.',
  block: 'Account blocked.',
  unblock: 'Account unblocked.',
  plan: 'Plan changed.',
  limits: 'Limits changed.',
  'webhooks-on': 'Webhooks enabled.',
  'webhooks-off': 'Webhooks disabled.',
  key: 'Key revoked.',
  sessions: 'Signed out everywhere.',
  note: 'Note added.',
}
