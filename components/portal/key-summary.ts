import { day } from '#components/data/time-format.ts'
import { wholeTyped } from '#server/api/contract/formats.ts'
import { credits, pounds } from './amounts.ts'

/** Values of the new-key form. */
export type KeyPlan = { readonly mode: 'test' | 'live'; readonly scopes: readonly string[]; readonly cap: string; readonly expires: string }

const list = new Intl.ListFormat('en-GB', { type: 'conjunction' })

function reads(scopes: readonly string[]): string {
  const names = scopes.map((scope) => scope.replace(':read', ''))
  return names.length === 0 ? 'No permissions selected.' : `Can read ${list.format(names)}.`
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

/** Summary of the new key in three sentences. */
export const keySummary = (plan: KeyPlan): string => [reads(plan.scopes), spends(plan), stops(plan.expires)].join(' ')
