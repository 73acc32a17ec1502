import type { ReactNode } from 'react'
import { AppShell, navLink, SignOut } from '#components/site/app-shell.tsx'
import { siteParts } from '#components/site/site-pages.ts'
import { type PortalPage, portalPages } from './portal-pages.ts'

type PortalNavProps = { current: PortalPage | undefined; isAdmin: boolean; csrfToken: string }

/** Navigation of the portal: portal pages, then public pages. */
function PortalNav({ current, isAdmin, csrfToken }: PortalNavProps) {
  return (
    <nav aria-label="Portal" className="flex flex-col">
      {portalPages.map(({ id, href, name }) => (
        <a key={id} href={href} aria-current={id === current ? 'page' : undefined} className={navLink}>
          {name}
        </a>
      ))}
      {isAdmin ? (
        <a href="/admin" className={navLink}>
          Admin
        </a>
      ) : null}
      <hr className="my-3 border-line" />
      {siteParts
        .filter(({ id }) => id !== 'prices')
        .map(({ id, href, name }) => (
          <a key={id} href={href} className={navLink}>
            {name}
          </a>
        ))}
      <a href="/portal/help" className={navLink}>
        Help
      </a>
      <hr className="my-3 border-line" />
      <SignOut csrfToken={csrfToken} />
    </nav>
  )
}

type Props = {
  current: PortalPage | undefined
  /** Name of the account, or its email. */
  who: string
  /** True if the link to the admin pages is shown. */
  isAdmin: boolean
  /** Balance, kept up to date while the page is open. */
  balance: ReactNode
  /** next-auth's CSRF token for the sign-out form. */
  csrfToken: string
  children: ReactNode
}

/** Layout of every portal page. */
export function PortalShell({ current, who, isAdmin, balance, csrfToken, children }: Props) {
  const figures =
    balance === null ? null : (
      <>
        {balance}
        <a href="/portal/billing/top-up" className="prose-link flex min-h-11 items-center whitespace-nowrap">
          Top up
        </a>
      </>
    )
  return (
    <AppShell home="/portal" who={who} figures={figures} nav={<PortalNav current={current} isAdmin={isAdmin} csrfToken={csrfToken} />}>
      {children}
    </AppShell>
  )
}
