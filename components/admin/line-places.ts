import type { LinePlaces } from '#components/portal/billing/ledger-table.tsx'
import type { RequestPlaces } from '#components/portal/request-detail.tsx'
import { accountHref } from './section.tsx'

/** Where the desk finds what a line of an account's ledger came of. */
export const linePlaces = (account: string): LinePlaces => ({ request: (id) => accountHref(account, `/requests/${id}`), topUp: () => null })

/** Where the desk finds what a call of an account has to do with. */
export const requestPlaces = (account: string): RequestPlaces => ({
  requests: accountHref(account, '/requests'),
  ledger: accountHref(account, '/ledger'),
  key: () => null,
  line: (request) => accountHref(account, `/ledger?request=${request}#${request}`),
})
