import { portalFault } from '#server/trpc/portal-fault.ts'
import { adminCaller } from '../admin-caller.ts'

const names = ['accountName', 'rate', 'boostRate', 'boostDuration', 'minBalance', 'maxBalance'] as const

export type Terms = Readonly<Record<(typeof names)[number], string>>

/** Reads the terms of a product from a form or a query string. */
export const getTerms = (read: (name: string) => string): Terms => Object.fromEntries(names.map((name) => [name, read(name)])) as Terms

export const getAddress = (sourceKey: string, terms: Terms): string => `/admin/products/${encodeURIComponent(sourceKey)}?${new URLSearchParams(terms)}#confirm`

/** Previews the correction in the query string. Null if there is none or it isn't valid. */
export async function plannedIn(sourceKey: string, search: Readonly<Record<string, string | string[] | undefined>>) {
  if (search['rate'] === undefined) return null
  const terms = getTerms((name) => String(search[name] ?? ''))
  try {
    const { lines } = await (await adminCaller()).admin.products.preview({ sourceKey, ...terms })
    return { terms, lines }
  } catch (error) {
    if (error instanceof Error && portalFault(error).error === 'invalid_request') return null
    throw error
  }
}
