import { portalFault } from '#server/trpc/portal-fault.ts'
import { adminCaller } from '../admin-caller.ts'

const names = ['accountName', 'rate', 'boostRate', 'boostDuration', 'minBalance', 'maxBalance'] as const

export type Terms = Readonly<Record<(typeof names)[number], string>>

/** The terms of a product, as a form or an address says them. */
export const termsOf = (read: (name: string) => string): Terms => Object.fromEntries(names.map((name) => [name, read(name)])) as Terms

export const addressOf = (sourceKey: string, terms: Terms): string => `/admin/products/${encodeURIComponent(sourceKey)}?${new URLSearchParams(terms)}#confirm`

/** What a correction would change that an address asks for; null when it asks for none, or for one that cannot be made. */
export async function plannedIn(sourceKey: string, search: Readonly<Record<string, string | string[] | undefined>>) {
  if (search['rate'] === undefined) return null
  const terms = termsOf((name) => String(search[name] ?? ''))
  try {
    const { lines } = await (await adminCaller()).admin.products.preview({ sourceKey, ...terms })
    return { terms, lines }
  } catch (error) {
    if (error instanceof Error && portalFault(error).error === 'invalid_request') return null
    throw error
  }
}
