import type { LinePlaces } from '#components/portal/billing/ledger-table.tsx'
import type { RequestPlaces } from '#components/portal/request-detail.tsx'
import { accountHref } from './section.tsx'

/** Admin links of the entries of an account's ledger. */
export const linePlaces = (account: string): LinePlaces => ({ request: (id) => accountHref(account, `/requests/${id}`), topUp: () => null })

/** Admin links of the details of a call. */
export const requestPlaces = (account: string): RequestPlaces => ({
  requests: accountHref(account, '/requests'),
  ledger: accountHref(account, '/ledger'),
  key: () => null,
  line: (request) => accountHref(account, `/ledger?request=${request}#${request}`),
})
