import { day } from '#components/data/time-format.ts'
import { manageScope } from '#server/api/contract/access.ts'
import { wholeTyped } from '#server/api/contract/formats.ts'
import { credits, pounds } from './amounts.ts'

/** Describes the scopes of a key in a table: what it can read, and whether it can manage the account. */
export function describeScopes(scopes: readonly string[]): string {
  const names = scopes.filter((scope) => scope !== manageScope).map((scope) => scope.replace(':read', ''))
  return [names.join(', '), scopes.includes(manageScope) ? 'manage the account' : ''].filter((text) => text !== '').join('; ')
}

/** Values of the new-key form. */
export type KeyPlan = { readonly mode: 'test' | 'live'; readonly scopes: readonly string[]; readonly cap: string; readonly expires: string }

const list = new Intl.ListFormat('en-GB', { type: 'conjunction' })

function reads(scopes: readonly string[]): string {
  const names = scopes.filter((scope) => scope !== manageScope).map((scope) => scope.replace(':read', ''))
  const reading = names.length === 0 ? [] : [`Can read ${list.format(names)}.`]
  const managing = scopes.includes(manageScope) ? ['Can change webhooks and alerts, and see the usage of all keys.'] : []
  return [...reading, ...managing].join(' ') || 'No permissions selected.'
}

function spends({ mode, cap }: KeyPlan): string {
  if (mode === 'test') return 'Never charged.'
  const count = wholeTyped(cap)
  return count < 0 ? 'Can spend your whole balance.' : `Can spend up to ${credits(count)} (${pounds(count)}) a month.`
}

function stops(expires: string): string {
  const at = new Date(`${expires}T00:00:00Z`)
  return Number.isNaN(at.getTime()) ? 'Never expires.' : `Expires on ${day(at)}.`
}

/** Summary of the new key in a few sentences. */
export const keySummary = (plan: KeyPlan): string => [reads(plan.scopes), spends(plan), stops(plan.expires)].join(' ')
