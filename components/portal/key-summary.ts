import { day } from '#components/data/dates.ts'
import { wholeTyped } from '#server/api/contract/typed-numbers.ts'
import { credits, pounds } from './amounts.ts'

/** What a form says about a key that is not made yet. */
export type KeyPlan = { readonly mode: 'test' | 'live'; readonly scopes: readonly string[]; readonly cap: string; readonly expires: string }

const list = new Intl.ListFormat('en-GB', { type: 'conjunction' })

function reads(scopes: readonly string[]): string {
  const words = scopes.map((scope) => scope.replace(':read', ''))
  return words.length === 0 ? 'Can read nothing yet.' : `Can read ${list.format(words)}.`
}

function spends({ mode, cap }: KeyPlan): string {
  if (mode === 'test') return 'Spends nothing.'
  const count = wholeTyped(cap)
  return count < 0 ? 'Can spend your whole balance.' : `Can spend up to ${credits(count)} (${pounds(count)}) a month.`
}

function stops(expires: string): string {
  const at = new Date(`${expires}T00:00:00Z`)
  return Number.isNaN(at.getTime()) ? 'Does not stop by itself.' : `Stops on ${day(at)}.`
}

/** The whole key in three sentences. */
export const keySummary = (plan: KeyPlan): string => [reads(plan.scopes), spends(plan), stops(plan.expires)].join(' ')
