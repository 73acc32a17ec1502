import type { LinePlaces } from '#components/portal/billing/ledger.tsx'
import type { RequestPlaces } from '#components/portal/request-detail.tsx'
import { accountHref } from './section.tsx'

/** Heading of a sub-page of an account. */
export function AccountTop({ account, title }: { account: { readonly id: string; readonly email: string }; title: string }) {
  return (
    <>
      <p className="mb-2">
        <a className="prose-link wrap-anywhere" href={accountHref(account.id)}>
          {account.email}
        </a>
      </p>
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">{title}</h1>
    </>
  )
}

/** Sub-pages of an account. */
const tabs = [
  { more: '/requests', name: 'Calls' },
  { more: '/ledger', name: 'Ledger' },
  { more: '/credits', name: 'Adjust credits' },
  { more: '/viewing', name: 'View as this account' },
] as const

export function AccountTabs({ account }: { account: string }) {
  return (
    <nav aria-label="Account" className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-2">
      {tabs.map(({ more, name }) => (
        <a key={more} className="prose-link" href={accountHref(account, more)}>
          {name}
        </a>
      ))}
    </nav>
  )
}

/** Admin links of the entries of an account's ledger. */
export const linePlaces = (account: string): LinePlaces => ({ request: (id) => accountHref(account, `/requests/${id}`), topUp: () => null })

/** Admin links of the details of a call. */
export const requestPlaces = (account: string): RequestPlaces => ({
  requests: accountHref(account, '/requests'),
  ledger: accountHref(account, '/ledger'),
  key: () => null,
  line: (request) => accountHref(account, `/ledger?request=${request}#${request}`),
})
