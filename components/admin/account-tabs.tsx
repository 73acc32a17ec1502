import { accountHref } from './section.tsx'

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
