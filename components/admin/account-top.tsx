import type { LinePlaces } from '#components/portal/billing/ledger.tsx'
import type { RequestPlaces } from '#components/portal/request-detail.tsx'
import { Tag, type Tone } from '#components/ui/tag.tsx'
import { plans } from '#server/api/contract/access.ts'
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

/** Returns the admin URLs linked from the lines of an account's ledger. */
export const linePlaces = (account: string): LinePlaces => ({ request: (id) => accountHref(account, `/requests/${id}`), topUp: () => null })

/** Returns the admin URLs linked from the details of a call. */
export const requestPlaces = (account: string): RequestPlaces => ({
  requests: accountHref(account, '/requests'),
  ledger: accountHref(account, '/ledger'),
  key: () => null,
  line: (request) => accountHref(account, `/ledger?request=${request}#${request}`),
})

export type ShownStanding = {
  readonly state: 'review' | 'open' | 'blocked'
  readonly isDeclined: boolean
  readonly isConfirmed: boolean
  readonly isClosed?: boolean
}

/** Returns an account's state as a label with its tone. */
function standing({ state, isDeclined, isConfirmed, isClosed = false }: ShownStanding): readonly [Tone, string] {
  if (isClosed) return ['plain', 'Closed']
  if (state === 'blocked') return ['danger', 'Blocked']
  if (state === 'open') return ['good', 'Approved']
  if (isDeclined) return ['danger', 'Declined']
  return isConfirmed ? ['caution', 'In review'] : ['plain', 'Not confirmed']
}

export const stateLabel = (account: ShownStanding): string => standing(account)[1]

type Props = ShownStanding & { readonly balanceCredits: number; readonly isAdmin: boolean }

/** State tags next to an account’s name. */
export function AccountTags(account: Props) {
  const [tone, label] = standing(account)
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <Tag tone={tone}>{label}</Tag>
      {account.balanceCredits < 0 ? <Tag tone="danger">In debt</Tag> : null}
      {account.isAdmin ? <Tag tone="plain">Administrator</Tag> : null}
    </span>
  )
}

export const planLabel = (plan: keyof typeof plans): string => plans[plan].label
