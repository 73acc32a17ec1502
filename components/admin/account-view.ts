import { type Plan, planNames } from '#server/api/contract/plans.ts'

/** How accounts may stand, and what that is called. */
export const standingNames = {
  review: 'In review',
  refused: 'Refused',
  open: 'Approved',
  blocked: 'Blocked',
  debt: 'In debt',
  asked: 'Asked for webhooks',
  unconfirmed: 'Not confirmed',
} as const

export type StandingName = keyof typeof standingNames

/** Which accounts a page lists. All of it stands in its address. */
export type AccountView = {
  readonly standing: StandingName | null
  readonly plan: Plan | null
  readonly email: string | null
  readonly hint: string | null
  /** Accounts that were searched for and found, by their ids. */
  readonly ids: readonly string[] | null
  readonly below: string | null
}

type Parameters = Readonly<Record<string, string | string[] | undefined>>

const longest = 254
const mostIds = 20
const idForm = /^acc_[0-9A-Za-z]{1,60}$/

function idsIn(given: string | string[] | undefined): string[] {
  const text = (Array.isArray(given) ? given[0] : given) ?? ''
  return text
    .split(',')
    .filter((id) => idForm.test(id))
    .slice(0, mostIds)
}

/** Reads an address. What is empty or cannot be read is as if it were not there. */
export function readAccountView(given: Parameters): AccountView {
  const text = (name: string): string | null => {
    const value = given[name]
    const one = (Array.isArray(value) ? value[0] : value)?.trim() ?? ''
    return one === '' || one.includes('\0') ? null : one.slice(0, longest)
  }
  const [standing, plan, email, hint, below] = [text('standing'), text('plan'), text('email'), text('hint'), text('below')]
  const ids = idsIn(given['ids'])
  return {
    standing: standing !== null && standing in standingNames ? (standing as StandingName) : null,
    plan: planNames.find((name) => name === plan) ?? null,
    // A whole address of somebody belongs in no address of a page, also when somebody wrote it there.
    email: email !== null && /^@|^[^@]*$/.test(email) ? email.toLowerCase() : null,
    hint: hint !== null && /^[0-9A-Za-z]{4}$/.test(hint) ? hint : null,
    ids: ids.length > 0 ? ids : null,
    below: below !== null && idForm.test(below) ? below : null,
  }
}

export const isNarrowed = ({ standing, plan, email, hint, ids }: AccountView): boolean => [standing, plan, email, hint, ids].some((one) => one !== null)

/** The address of a view. */
export function viewHref(view: Partial<AccountView>): string {
  const given = Object.entries(view).filter((entry): entry is [string, string | readonly string[]] => entry[1] !== null)
  return given.length === 0 ? '/admin/accounts' : `/admin/accounts?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}
