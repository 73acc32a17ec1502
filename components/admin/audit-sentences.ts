import type { AuditAction } from '#server/api/contract/audit-actions.ts'

type Entry = {
  readonly action: string
  readonly subject: string | null
  /** Name of the key or URL of the webhook endpoint that the entry is about. */
  readonly subjectName: string | null
  readonly before: unknown
  readonly after: unknown
}

type Values = Readonly<Record<string, unknown>>

/** Returns the fields of a recorded value. */
export const toValues = (value: unknown): Values => (typeof value === 'object' && value !== null ? { ...value } : {})

const shown = (value: unknown): string => (value === null || value === undefined ? 'none' : String(value))
const limit = (value: unknown): string => (value === null || value === undefined ? 'plan default' : Number(value).toLocaleString('en-GB'))

/** Returns the old and the new limit, or only one if it hasn't changed. */
function limitChange(name: string, before: Values, after: Values): string {
  const [from, to] = [limit(before[name]), limit(after[name])]
  return from === to ? to : `${from} → ${to}`
}
const credits = (value: unknown): string => `${Number(value).toLocaleString('en-GB')} ${Math.abs(Number(value)) === 1 ? 'credit' : 'credits'}`

const plain = {
  'account.approve': 'Approved the account',
  'account.close': 'Closed the account',
  'account.note': 'Added a note',
  'account.unblock': 'Unblocked the account',
  'alerts.change': 'Changed the balance alerts',
  'auto-top-up.change': 'Changed the automatic top-up settings',
  'billing-details.change': 'Changed the billing details',
  'card.remove': 'Removed the saved card',
  'email.change': 'Changed the email address',
  'email.change-ask': 'Requested an email address change',
  'email.confirm': 'Confirmed the email address',
  'member.invite': 'Invited a member',
  'member.join': 'Joined as a member',
  'member.leave': 'Left the account',
  'member.uninvite': 'Revoked an invitation',
  'name.change': 'Changed the name',
  'password.change': 'Changed the password',
  'password.reset': 'Reset the password by email',
  'purpose.change': 'Changed the intended use',
  'reauthentication.fail': 'Failed to confirm their identity',
  'recovery-codes.renew': 'Created new recovery codes',
  'second-factor.off': 'Turned off two-factor sign-in',
  'second-factor.on': 'Turned on two-factor sign-in',
  'session.end': 'Signed out a device',
  'session.end-all': 'Signed out all devices',
  'session.end-others': 'Signed out all other devices',
  'sign-in.fail': 'Failed to sign in',
  'sign-in.lock-out': 'Was locked out after too many sign-in attempts',
  'single-sign-on.link': 'Connected single sign-on',
  'single-sign-on.remove': 'Removed single sign-on',
  'single-sign-on.unlink': 'Disconnected single sign-on',
  'viewing.begin': 'Started viewing the portal as the customer',
  'viewing.end': 'Stopped viewing the portal as the customer',
  'viewing.lapse': 'Stopped viewing the portal as the customer (time limit reached)',
  'webhooks.ask': 'Requested webhooks',
  'webhooks.off': 'Disabled webhooks',
  'webhooks.on': 'Enabled webhooks',
} as const

/** Actions on the subject of the entry, such as a key. */
const onSubject = {
  'changelog.discard': 'Discarded the changelog draft',
  'changelog.draft': 'Drafted the changelog entry',
  'changelog.publish': 'Published the changelog entry',
  'changelog.rewrite': 'Edited the changelog draft',
  'feed.decline': 'Declined the import from the source',
  'feed.publish': 'Published the import from the source',
  'incident.update': 'Published an update on the incident',
  'key.revoke': 'Revoked the key',
  'key.rotate': 'Rotated the key',
  'key.update': 'Changed the key',
  'licence.discard': 'Discarded the licence draft',
  'licence.draft': 'Drafted the licence version',
  'licence.publish': 'Published the licence version',
  'licence.rewrite': 'Edited the licence draft',
  'market-alert.create': 'Created the market alert',
  'market-alert.delete': 'Deleted the market alert',
  'market-alert.pause': 'Paused the market alert',
  'market-alert.resume': 'Resumed the market alert',
  'market-alert.unsubscribe': 'Turned off emails for the market alert',
  'market-alert.update': 'Changed the market alert',
  'product.correct': 'Corrected the product',
  'product.end-correction': 'Ended the correction of the product',
  'product.withdraw': 'Withdrew the product',
  'source.fetch': 'Requested a fetch of the source',
  'ticket.start': 'Sent the support message',
  'ticket.answer': 'Replied to the support message',
  'ticket.close': 'Closed the support message',
  'webhook.create': 'Added the webhook endpoint',
  'webhook.delete': 'Deleted the webhook endpoint',
  'webhook.pause': 'Paused the webhook endpoint',
  'webhook.resume': 'Resumed the webhook endpoint',
  'webhook.rotate': 'Rotated the secret of the webhook endpoint',
  'webhook.test': 'Sent a test event to the webhook endpoint',
  'webhook.update': 'Changed the webhook endpoint',
} as const

type Sentence = (before: Values, after: Values, subject: string) => string

/** Actions whose sentence contains recorded values. */
const withValues = {
  'account.block': (_, { blockReason }) => (blockReason === undefined ? 'Blocked the account' : `Blocked the account: “${shown(blockReason)}”`),
  'account.decline': (_, { declineReason }) => `Declined the account: “${shown(declineReason)}”`,
  'availability.change': (before, after, subject) =>
    `Changed the availability of ${subject} from ${shown(before['availability'])} to ${shown(after['availability'])}`,
  'cap.change': (_, { capCredits }) => (capCredits === null ? 'Removed the monthly cap' : `Set the monthly cap to ${credits(capCredits)}`),
  'credits.adjust': (before, after) => `Changed the balance from ${credits(before['balanceCredits'])} to ${credits(after['balanceCredits'])}`,
  'credits.approve': (before, after) => `Approved an adjustment: balance from ${credits(before['balanceCredits'])} to ${credits(after['balanceCredits'])}`,
  'credits.decline': ({ credits: count }) => `Declined an adjustment of ${credits(count)}`,
  'credits.propose': (_, { credits: count }) => `Proposed an adjustment of ${credits(count)}`,
  'incident.open': (_, { title }, subject) => `Reported the incident ${title === undefined ? subject : `“${shown(title)}”`}`,
  'key.create': (_, { mode, capCredits }, subject) =>
    `Created the ${shown(mode ?? 'new')} key ${subject}${typeof capCredits === 'number' ? `, cap ${credits(capCredits)}` : ''}`,
  'licence.accept': (_, { label }) => `Accepted the Data Licence ${shown(label)}`,
  'limits.change': (before, after) =>
    `Changed the rate limits: per minute ${limitChange('perMinute', before, after)}, per day ${limitChange('perDay', before, after)}`,
  'member.remove': ({ role }, _, subject) => `Removed ${subject} (${shown(role)})`,
  'member.role': (before, after, subject) => `Changed the role of ${subject} from ${shown(before['role'])} to ${shown(after['role'])}`,
  'owner.change': (_, __, subject) => `Transferred the account to ${subject}`,
  'plan.change': (before, after) => `Changed the plan from ${shown(before['plan'])} to ${shown(after['plan'])}`,
  'provider.connect': (_, { issuer }) => `Connected an account at ${shown(issuer)}`,
  'provider.disconnect': ({ issuer }) => `Disconnected the account at ${shown(issuer)}`,
  'sign-up': (_, { method }) => `Created the account (login method: ${shown(method)})`,
  'single-sign-on.require': (_, { isRequired }) => `Made single sign-on ${isRequired === true ? 'mandatory' : 'optional'} for members`,
  'single-sign-on.set': (_, { issuer }) => `Set up single sign-on with ${shown(issuer)}`,
  'time-zone.change': (_, { timeZone }) => `Changed the time zone to ${shown(timeZone)}`,
  'webhook.redeliver': (_, { count }, subject) => `Redelivered ${shown(count)} ${count === 1 ? 'event' : 'events'} to ${subject}`,
} as const satisfies Readonly<Record<string, Sentence>>

/** Sentence of every action. Fails to compile if one is missing. */
const sentences = { ...plain, ...onSubject, ...withValues } as const satisfies Readonly<Record<AuditAction, string | Sentence>>

const find = (action: string): string | Sentence | undefined => (sentences as Readonly<Record<string, string | Sentence>>)[action]

/** Returns the sentence for an audit entry, such as `Created the live key Production web, cap 100 credits`. */
export function toSentence({ action, subject, subjectName, before, after }: Entry): string {
  const about = subjectName ?? subject ?? ''
  const sentence = find(action) ?? action
  if (typeof sentence === 'function') return sentence(toValues(before), toValues(after), about)
  return action in plain ? sentence : `${sentence} ${about}`.trim()
}

/** Returns the label of an action in a filter: its sentence without recorded values. */
export function toActionName(action: string): string {
  const sentence = find(action)
  return typeof sentence === 'string' ? sentence : `${action.slice(0, 1).toUpperCase()}${action.slice(1).replace('.', ': ').replaceAll('-', ' ')}`
}
