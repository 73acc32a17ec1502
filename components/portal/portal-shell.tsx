import type { ReactNode } from 'react'
import { AppShell } from '#components/site/app-shell.tsx'
import { PortalNav } from './portal-nav.tsx'
import type { PortalPage } from './portal-pages.ts'

type Props = {
  current: PortalPage | undefined
  /** Name of the account, or its email. */
  who: string
  /** True if the link to the admin pages is shown. */
  isAdmin: boolean
  /** Balance, kept up to date while the page is open. */
  balance: ReactNode
  signOut: () => Promise<void>
  children: ReactNode
}

/** Frame of every page of the portal. */
export function PortalShell({ current, who, isAdmin, balance, signOut, children }: Props) {
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
    <AppShell home="/portal" who={who} figures={figures} nav={<PortalNav current={current} isAdmin={isAdmin} signOut={signOut} />}>
      {children}
    </AppShell>
  )
}
