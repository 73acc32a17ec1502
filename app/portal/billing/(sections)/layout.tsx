import type { ReactNode } from 'react'
import { SubNavigation } from '#components/portal/sub-navigation.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { currentPath } from '#server/auth/current-request.ts'

const pages = [
  { href: '/portal/billing', name: 'Overview' },
  { href: '/portal/billing/statement', name: 'Statement' },
  { href: '/portal/billing/receipts', name: 'Receipts' },
  { href: '/portal/billing/alerts', name: 'Alerts and caps' },
] as const

export default async function BillingLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-h1 font-semibold tracking-tight">Billing</h1>
        <ButtonLink kind="primary" href="/portal/billing/top-up">
          Top up
        </ButtonLink>
      </div>
      <SubNavigation label="Billing" pages={pages} path={await currentPath()} />
      {children}
    </>
  )
}
