import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { AutoTopUpSummary } from '#components/portal/billing/auto-top-up.tsx'
import { BalanceSteps } from '#components/portal/billing/balance-steps.tsx'
import { BillingDetailsSummary } from '#components/portal/billing/billing-details-summary.tsx'
import { LatestTransactions } from '#components/portal/billing/ledger.tsx'
import { BalanceNotices, NoticeList } from '#components/portal/billing/notices.tsx'
import { UnpaidCheckout } from '#components/portal/billing/payments.tsx'
import { BillingFigures } from '#components/portal/overview.tsx'
import { SettingsSection as Section } from '#components/portal/settings/settings-parts.tsx'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'

export const metadata: Metadata = { title: 'Billing' }

type Query = { before?: string; request?: string; payments?: string }

/** Redirects old links to the single billing page of earlier versions. */
function redirectOldLink({ before, request, payments }: Query): void {
  if (payments !== undefined) redirect(`/portal/billing/receipts?before=${encodeURIComponent(payments)}`)
  if (request !== undefined) redirect(`/portal/billing/statement?request=${encodeURIComponent(request)}`)
  if (before !== undefined) redirect(`/portal/billing/statement?before=${encodeURIComponent(before)}`)
}

export default async function BillingPage({ searchParams }: { searchParams: Promise<Query> }) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  redirectOldLink(await searchParams)
  const { account, billing } = await portalCaller()
  const [figures, overview, days, lines, { topUps, unpaid }, notices, { details }] = await Promise.all([
    account.overview(),
    billing.overview(),
    billing.balanceDays(),
    billing.latestLines(),
    billing.topUps({ cursor: null }),
    billing.notices(),
    billing.details(),
  ])
  const pending = topUps.filter(({ state }) => state === 'pending')
  return (
    <>
      {viewer.isConfirmed ? <BalanceNotices {...overview} autoOffReason={overview.autoTopUp?.offReason ?? null} pending={pending} /> : null}
      {unpaid === null ? null : <UnpaidCheckout {...unpaid} />}
      <BillingFigures overview={figures} spendCap={overview.spendCap} />
      {overview.mode === null ? null : (
        <div className="grid gap-4 lg:grid-cols-2">
          <AutoTopUpSummary card={overview.card} auto={overview.autoTopUp} />
          <BillingDetailsSummary details={details} />
        </div>
      )}
      <BalanceSteps days={days} />
      <LatestTransactions lines={lines} />
      <div className="mt-10">
        <Section id="notifications" title="Notifications" lead="Your latest billing emails from the last 90 days (up to 10).">
          <NoticeList notices={notices} />
        </Section>
      </div>
    </>
  )
}
