import { accountHref } from './section.tsx'

/** Pages about an account, behind its own address. Whatever else leads on from an account stands here too. */
const ways = [
  { more: '/requests', name: 'Calls' },
  { more: '/ledger', name: 'Ledger' },
  { more: '/credits', name: 'Adjust credits' },
  { more: '/viewing', name: 'View as this account' },
] as const

export function AccountWays({ account }: { account: string }) {
  return (
    <nav aria-label="Account" className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-2">
      {ways.map(({ more, name }) => (
        <a key={more} className="prose-link" href={accountHref(account, more)}>
          {name}
        </a>
      ))}
    </nav>
  )
}
