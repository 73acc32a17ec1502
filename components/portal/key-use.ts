import { ago } from '#components/data/time-format.ts'

export type KeyUseDay = { readonly calls: number; readonly credits: number }

type Report = {
  readonly periods: readonly { readonly parts: readonly (KeyUseDay & { readonly id: string })[] }[]
  readonly groups: readonly { readonly id: string }[]
}

/** Returns daily usage by key from a report grouped by key. Null for a key that the report merged into "other". */
export function keyUse({ periods, groups }: Report): (id: string) => readonly KeyUseDay[] | null {
  const listed = new Set(groups.map(({ id }) => id))
  return (id) => {
    if (!listed.has(id) && listed.has('other')) return null
    return periods.map(({ parts }) => parts.find((part) => part.id === id) ?? { calls: 0, credits: 0 })
  }
}

export type KeyLastUse = { readonly usedAt: Date | null; readonly usedFrom: string | null }

/** Describes the last use of a key: `Used 4 minutes ago from 203.0.113.7.` */
export function lastUseText({ usedAt, usedFrom }: KeyLastUse, now: Date): string {
  if (usedAt === null) return 'Never used.'
  return `Used ${ago(usedAt, now)}${usedFrom === null ? '' : ` from ${usedFrom}`}.`
}

const recentMs = 7 * 86_400_000

/** Returns the hours after which a rotated key expires by default: 24 if it was used in the last seven days, otherwise 0. */
export const defaultOverlapHours = ({ usedAt }: Pick<KeyLastUse, 'usedAt'>, now: Date): '0' | '24' =>
  usedAt !== null && now.getTime() - usedAt.getTime() < recentMs ? '24' : '0'

type Spending = {
  readonly mode: 'test' | 'live'
  readonly state: 'active' | 'ending' | 'expired' | 'revoked'
  readonly spentCredits: number
  readonly capCredits: number | null
}

/** True if a live key is rejected because it has spent its monthly cap. */
export const isCapReached = ({ mode, state, spentCredits, capCredits }: Spending): boolean =>
  mode === 'live' && (state === 'active' || state === 'ending') && capCredits !== null && spentCredits >= capCredits

/** Returns the start of the next UTC month, when caps reset. */
export const nextMonth = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))

/** Text that a user types to confirm the revocation of exactly this key: its name and last four characters, such as `Production 7Qx2`. */
export const keyConfirmation = ({ name, hint }: { readonly name: string; readonly hint: string }): string => `${name} ${hint.slice(-4)}`.trim()
