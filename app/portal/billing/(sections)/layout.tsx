import type { ReactNode } from 'react'
import { SubNavigation } from '#components/portal/sub-navigation.tsx'
import { ChangeLink } from '#components/ui/change-link.tsx'
import { PageHead } from '#components/ui/page-head.tsx'
import { currentPath } from '#server/auth/current-request.ts'

const pages = [
  { href: '/portal/billing', name: 'Overview' },
  { href: '/portal/billing/statement', name: 'Statement' },
  { href: '/portal/billing/receipts', name: 'Receipts', rest: 'and invoices' },
  { href: '/portal/billing/alerts', name: 'Spending limits' },
] as const

export default async function BillingLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <PageHead title="Billing" isTabbed>
        <ChangeLink kind="primary" size="compact" href="/portal/billing/top-up">
          Top up
        </ChangeLink>
      </PageHead>
      <SubNavigation label="Billing" pages={pages} path={await currentPath()} />
      {children}
    </>
  )
}
