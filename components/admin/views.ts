import { planNames } from '#server/api/contract/access.ts'
import { accountStates } from '#server/api/contract/account-state.ts'
import { eventTypes } from './event-types.ts'
import { formats, readParameter, type Search } from './kit/search.ts'

/** Account states that the list can be filtered by. */
const { closed: _, ...open } = accountStates
export const standingNames = { ...open, debt: 'In debt', asked: 'Webhooks requested' } as const

const maxIds = 20

/** Reads the filters of the account list from a query string. Ignores invalid values, and full email addresses, which don't belong in URLs. */
export function readAccountView(search: Search) {
  const standing = readParameter(search, 'standing', /./)
  const plan = readParameter(search, 'plan', /./)
  const ids = (readParameter(search, 'ids', /./) ?? '').split(',').filter((id) => formats.account.test(id))
  return {
    standing: (Object.keys(standingNames) as (keyof typeof standingNames)[]).find((name) => name === standing) ?? null,
    plan: planNames.find((name) => name === plan) ?? null,
    email: readParameter(search, 'email', /^(?:@.{0,253}|[^@]{1,254})$/)?.toLowerCase() ?? null,
    hint: readParameter(search, 'hint', /^[0-9A-Za-z]{4}$/),
    ids: ids.length > 0 ? ids.slice(0, maxIds) : null,
    below: readParameter(search, 'below', formats.account),
  }
}

/** Kinds of failed deliveries, in the order of the filter. */
export const failureLabels = { dead: 'Failed', retrying: 'Retrying', held: 'Waiting for credits' } as const

type FailureKind = keyof typeof failureLabels

const failureKinds = Object.keys(failureLabels) as FailureKind[]

/** Reads the filters of failed deliveries from a query string. */
export const readFailureView = (search: Search) => ({
  kind: failureKinds.find((kind) => kind === search['state']) ?? 'dead',
  type: eventTypes.find((type) => type === search['type']) ?? null,
  account: readParameter(search, 'account', formats.account),
  after: readParameter(search, 'after', formats.cursor),
})

/** Reads a date parameter such as 2026-11-21. Ignores invalid dates. */
function readDay(search: Search, name: string): string | null {
  const text = readParameter(search, name, /^2\d{3}-\d\d-\d\d$/)
  const isDay = text !== null && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)
  return isDay ? text : null
}

/** Reads the filters of the audit log from a query string. Dates are inclusive UTC dates. */
export const readAuditView = (search: Search) => ({
  account: readParameter(search, 'account', /^.{1,100}$/),
  admin: readParameter(search, 'admin', /^.{1,100}$/),
  action: readParameter(search, 'action', /^.{1,100}$/),
  subject: readParameter(search, 'subject', /^.{1,100}$/),
  from: readDay(search, 'from'),
  to: readDay(search, 'to'),
})

/** Reads the search for products from a query string. */
export const readProductSearch = (search: Search) => ({
  text: readParameter(search, 'q', /^.{1,200}$/) ?? '',
  isCorrected: search['corrected'] === 'yes',
  after: readParameter(search, 'after', /^.{1,120}$/) ?? '',
})

/** Ways to change the availability of an endpoint. */
export const availabilitySteps = {
  open: 'Open to live keys',
  'test-only': 'Restrict to test keys',
  'coming-soon': 'Disable for all keys',
} as const

/** Returns the availability that a query string asks for, or null. */
export const readAvailability = (asked: unknown) => (Object.keys(availabilitySteps) as (keyof typeof availabilitySteps)[]).find((one) => one === asked) ?? null

/** Number of calls and ledger entries on an account's page, and on the pages that list all of them. */
export const shownRows = 10
export const rowsPerPage = 50

/** Results of decisions on accounts in review. */
const decisionMessages = { approve: 'Account approved. Its live keys work immediately.', decline: 'Account declined.' } as const

export type Decision = keyof typeof decisionMessages

/** Returns the success message of a decision. Only accounts with a confirmed address are emailed. */
export const decisionMessage = (decision: Decision, isEmailed: boolean): string =>
  `${decisionMessages[decision]}${isEmailed ? ' We’ve emailed the customer.' : ''}`

/** Returns the message of the decision that a query string names, or null. Accounts in the review queue have a confirmed address. */
export const readDecision = (asked: unknown): string | null => (asked === 'approve' || asked === 'decline' ? decisionMessage(asked, true) : null)
