import { number } from '#components/portal/amounts.ts'
import { type Limits, limitsOf, type Plan } from '#server/api/contract/plans.ts'
import { planLabel, type ShownStanding, standingWord } from './account-tags.tsx'

type Account = ShownStanding & {
  readonly plan: Plan
  readonly limits: Limits
  readonly ownPerMinute: number | null
  readonly ownPerDay: number | null
}

/** From one to another, or that it stays. */
const step = (what: string, before: string, after: string): string => (before === after ? `${what}: ${before}, as it is.` : `${what}: ${before} → ${after}.`)

const limitLines = (before: Limits, after: Limits): string[] => [
  step('Calls a minute for each live key', number(before.perMinute), number(after.perMinute)),
  step('Live calls a day', number(before.perDay), number(after.perDay)),
]

const atOnce = 'It holds from the next call on.'

/** What a block does. `told` may be empty. */
export const blockLines = (account: Account, told: string): string[] => [
  step('Account', standingWord(account), 'Blocked'),
  `Every key of the account, test keys too, gets 403 account_blocked from the next call on${told === '' ? ', without a reason' : ''}.`,
  told === ''
    ? 'The portal says that the account is blocked, and nothing else.'
    : `Callers and the portal are told: “This account is blocked. Contact support. Reason: ${told}”`,
]

export const planLines = (account: Account, plan: Plan): string[] => [
  step('Plan', planLabel(account.plan), planLabel(plan)),
  ...limitLines(account.limits, limitsOf(plan, { perMinute: account.ownPerMinute, perDay: account.ownPerDay })),
  atOnce,
]

/** Null stands for the plan's own limit. */
export const ownLimitLines = (account: Account, own: { perMinute: number | null; perDay: number | null }): string[] => [
  ...limitLines(account.limits, limitsOf(account.plan, own)),
  own.perMinute === null && own.perDay === null ? `These are the limits of the plan ${planLabel(account.plan)}.` : 'They stay when the plan changes.',
  atOnce,
]

export const revokeLines = ({ name, hint, usedAt }: { name: string; hint: string; usedAt: Date | null }): string[] => [
  `${name === '' ? 'Key without a name' : name}, ${hint}: Active → Revoked.`,
  usedAt === null ? 'It was never used.' : 'Calls with it fail at once.',
  'This cannot be undone: the account has to create another key.',
]

export const declineLines = (account: Account): string[] => [
  step('Account', standingWord(account), 'Refused'),
  'It leaves the review. Live keys get 403 account_blocked with the reason review_declined; test keys go on working. It can be approved later.',
]

/** What is said at the top of an account's page after something was done. */
export const doneWords: Readonly<Record<string, string>> = {
  approve: 'Account approved. Its live keys work from the next call on, and it is told by email.',
  decline: 'Account refused. It is told by email.',
  block: 'Account blocked.',
  unblock: 'Block taken back.',
  plan: 'Plan changed.',
  limits: 'Limits changed.',
  'webhooks-on': 'Webhooks switched on.',
  'webhooks-off': 'Webhooks switched off.',
  key: 'Key revoked.',
  sessions: 'Signed out everywhere.',
  note: 'Note added.',
}
