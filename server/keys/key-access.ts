import type { Scope } from '#server/api/contract/access.ts'
import { isCovered } from './address-list.ts'

/** Name and limits of a key, which its owner can change. */
export type KeyAccess = {
  readonly name: string
  readonly scopes: readonly Scope[]
  /** IP addresses and ranges that can use the key; empty for any. */
  readonly addresses: readonly string[]
  /** Maximum credits per UTC calendar month; null for no cap. */
  readonly capCredits: number | null
  readonly expiresAt: Date | null
}

/** Returns true if a limit is removed or raised. */
const isRaised = (before: number | null, after: number | null): boolean => before !== null && (after === null || after > before)

/** Returns true if a change lets anyone who has the key do more: more scopes or addresses, a higher cap or a later expiry. */
export function isWider(before: KeyAccess, after: KeyAccess): boolean {
  return (
    after.scopes.some((scope) => !before.scopes.includes(scope)) ||
    (before.addresses.length > 0 && (after.addresses.length === 0 || after.addresses.some((range) => !isCovered(range, before.addresses)))) ||
    isRaised(before.capCredits, after.capCredits) ||
    isRaised(before.expiresAt?.getTime() ?? null, after.expiresAt?.getTime() ?? null)
  )
}

/** Audit details of a key's access. */
export const toAuditDetails = ({ name, scopes, addresses, capCredits, expiresAt }: KeyAccess) => ({
  name,
  scopes,
  addresses,
  capCredits,
  expiresAt: expiresAt?.toISOString() ?? null,
})

type Details = Partial<ReturnType<typeof toAuditDetails>>

/** Returns the details that differ, before and after a change. */
export function changedDetails(before: KeyAccess, after: KeyAccess): { before: Details; after: Details; isChanged: boolean } {
  const [old, next] = [toAuditDetails(before), toAuditDetails(after)]
  const names = (Object.keys(next) as (keyof typeof next)[]).filter((name) => JSON.stringify(old[name]) !== JSON.stringify(next[name]))
  const pick = (details: typeof next): Details => Object.fromEntries(names.map((name) => [name, details[name]]))
  return { before: pick(old), after: pick(next), isChanged: names.length > 0 }
}
