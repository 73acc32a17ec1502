import { type Plan, planNames } from '#server/api/contract/access.ts'

/** Labels of the account states that the list can be filtered by. */
export const standingNames = {
  review: 'In review',
  refused: 'Declined',
  open: 'Approved',
  blocked: 'Blocked',
  debt: 'In debt',
  asked: 'Webhooks requested',
  unconfirmed: 'Not confirmed',
} as const

export type StandingName = keyof typeof standingNames

/** Filters of the account list, read from the query string; null if not set. */
export type AccountView = {
  readonly standing: StandingName | null
  readonly plan: Plan | null
  readonly email: string | null
  readonly hint: string | null
  /** Ids of the accounts found by a search. */
  readonly ids: readonly string[] | null
  readonly below: string | null
}

type Parameters = Readonly<Record<string, string | string[] | undefined>>

const maxLength = 254
const maxIds = 20
const idForm = /^acc_[0-9A-Za-z]{1,60}$/

function idsIn(given: string | string[] | undefined): string[] {
  const text = (Array.isArray(given) ? given[0] : given) ?? ''
  return text
    .split(',')
    .filter((id) => idForm.test(id))
    .slice(0, maxIds)
}

/** Reads the filters from a query string. Ignores empty and invalid values. */
export function readAccountView(given: Parameters): AccountView {
  const text = (name: string): string | null => {
    const value = given[name]
    const one = (Array.isArray(value) ? value[0] : value)?.trim() ?? ''
    return one === '' || one.includes('\0') ? null : one.slice(0, maxLength)
  }
  const [standing, plan, email, hint, below] = [text('standing'), text('plan'), text('email'), text('hint'), text('below')]
  const ids = idsIn(given['ids'])
  return {
    standing: standing !== null && standing in standingNames ? (standing as StandingName) : null,
    plan: planNames.find((name) => name === plan) ?? null,
    // Full email addresses don't belong in URLs, so they are ignored.
    email: email !== null && /^@|^[^@]*$/.test(email) ? email.toLowerCase() : null,
    hint: hint !== null && /^[0-9A-Za-z]{4}$/.test(hint) ? hint : null,
    ids: ids.length > 0 ? ids : null,
    below: below !== null && idForm.test(below) ? below : null,
  }
}

export const isNarrowed = ({ standing, plan, email, hint, ids }: AccountView): boolean => [standing, plan, email, hint, ids].some((one) => one !== null)

/** Returns the URL of the account list with the given filters. */
export function viewHref(view: Partial<AccountView>): string {
  const given = Object.entries(view).filter((entry): entry is [string, string | readonly string[]] => entry[1] !== null)
  return given.length === 0 ? '/admin/accounts' : `/admin/accounts?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}
