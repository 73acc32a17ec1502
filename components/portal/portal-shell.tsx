import { CircleQuestionMark, Plus, ShieldUser } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AccountChoice } from '#components/site/account-choices.tsx'
import { AppShell, NavHeading, NavLink } from '#components/site/app-shell.tsx'
import { portalIcons, siteIcons } from '#components/site/nav-icons.tsx'
import { siteParts } from '#components/site/site-pages.ts'
import type { Who } from '#components/site/who.ts'
import { type PortalPage, portalPages } from './portal-pages.ts'

/** Navigation of the portal: portal pages, then public pages. */
function PortalNav({ current, isAdmin }: { current: PortalPage | undefined; isAdmin: boolean }) {
  return (
    <nav aria-label="Portal" className="flex flex-col gap-y-0.5">
      {portalPages.map(({ id, href, name }) => (
        <NavLink key={id} href={href} icon={portalIcons[id]} isCurrent={id === current}>
          {name}
        </NavLink>
      ))}
      <NavHeading>Developers</NavHeading>
      {siteParts
        .filter(({ id }) => id !== 'prices')
        .map(({ id, href, name }) => (
          <NavLink key={id} href={href} icon={siteIcons[id]}>
            {name}
          </NavLink>
        ))}
      <NavHeading>Support</NavHeading>
      <NavLink href="/portal/help" icon={CircleQuestionMark}>
        Help
      </NavLink>
      {isAdmin ? (
        <>
          <NavHeading>Operations</NavHeading>
          <NavLink href="/admin" icon={ShieldUser}>
            Admin
          </NavLink>
        </>
      ) : null}
    </nav>
  )
}

/** Touch target around the balance on a phone. The visible border is shorter than the target. */
const chip =
  'relative flex min-h-11 min-w-0 items-center gap-1.5 max-sm:px-2 max-sm:before:absolute max-sm:before:inset-x-0 max-sm:before:inset-y-1 max-sm:before:rounded-control max-sm:before:border max-sm:before:border-accent max-[24rem]:px-0 max-[24rem]:before:hidden sm:gap-4'

/** Balance with the link to the top-up page. */
function TopUpLink({ children }: { children: ReactNode }) {
  return (
    <a href="/portal/billing/top-up" className={`group/top-up ${chip}`}>
      {children}
      <span className="flex items-center gap-1.5 font-medium whitespace-nowrap text-accent transition-colors duration-120 motion-reduce:transition-none max-[24rem]:hidden sm:min-h-9 sm:rounded-control sm:border sm:border-accent sm:px-2.5 sm:group-hover/top-up:bg-accent-wash">
        <Plus aria-hidden="true" className="size-4" />
        <span className="max-sm:sr-only">Top up</span>
      </span>
    </a>
  )
}

const links = [
  { href: '/portal/settings', name: 'Settings' },
  { href: '/portal/help', name: 'Help' },
] as const
const adminLink = { href: '/admin', name: 'Admin' } as const

type Props = {
  current: PortalPage | undefined
  who: Who
  /** Accounts that the user can switch to, and the one that is shown. */
  accounts: readonly AccountChoice[]
  shown: AccountChoice
  /** True if the link to the admin pages is shown. */
  isAdmin: boolean
  /** True if the user's session can show no other account. */
  isLimited: boolean
  /** True if an administrator views the portal as the customer, and so can't top up. */
  isViewing: boolean
  /** Balance, kept up to date while the page is open. */
  balance: ReactNode
  /** next-auth's CSRF token for the sign-out form. */
  csrfToken: string
  children: ReactNode
}

/** Layout of every portal page. */
export function PortalShell({ current, who, accounts, shown, isAdmin, isLimited, isViewing, balance, csrfToken, children }: Props) {
  const hasChoice = accounts.some(({ publicId }) => publicId !== shown.publicId)
  const figures = balance === null || isViewing ? balance : <TopUpLink>{balance}</TopUpLink>
  return (
    <AppShell
      home="/portal"
      scope="portal"
      who={who}
      {...(hasChoice || isLimited ? { label: shown.label } : {})}
      {...(hasChoice ? { accounts: { accounts, shown: shown.publicId } } : {})}
      links={isAdmin ? [...links, adminLink] : links}
      csrfToken={csrfToken}
      figures={figures}
      nav={<PortalNav current={current} isAdmin={isAdmin} />}
    >
      {children}
    </AppShell>
  )
}
