import type { Metadata } from 'next'
import { PurposeForm } from '#components/portal/account-forms.tsx'
import { BalanceNotices } from '#components/portal/billing/notices.tsx'
import { AccountFigures, FirstSteps, nextAction } from '#components/portal/overview.tsx'
import { ReviewNotice } from '#components/portal/portal-notices.tsx'
import { lastHours } from '#components/portal/usage-view.ts'
import { ChangeLink } from '#components/ui/change-link.tsx'
import { PageHead } from '#components/ui/page-head.tsx'
import { getRoleFault } from '#server/auth/page-access.ts'
import { loaded } from '#server/pages/load.ts'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'
import { RecentActivity } from '#server/pages/prefetched.tsx'

export const metadata: Metadata = { title: 'Overview' }

export default async function OverviewPage() {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const portal = await portalCaller()
  const [overview, billing, keys, last, { data: lastDay }] = await Promise.all([
    portal.account.overview(),
    portal.billing.overview(),
    portal.keys.list(),
    portal.account.lastRequest(),
    loaded(portal.usage.report({ ...lastHours(new Date(Date.now())), by: 'status' })),
  ])
  const isWorking = ({ state }: { state: string }) => state === 'active' || state === 'ending'
  const hasKey = keys.some(isWorking)
  const mayCreateKeys = getRoleFault(viewer, '/portal/keys') === null
  const action = nextAction(overview, { mayCreateKeys, mayTopUp: getRoleFault(viewer, '/portal/billing') === null })
  return (
    <>
      <PageHead title="Overview">
        {viewer.isConfirmed && action !== null ? (
          <ChangeLink kind={hasKey && action.name === 'Create key' ? 'second' : 'primary'} size="compact" href={action.href}>
            {action.name}
          </ChangeLink>
        ) : null}
      </PageHead>
      {viewer.isConfirmed && viewer.state === 'review' ? (
        <>
          <ReviewNotice {...viewer} />
          <PurposeForm purpose={viewer.purpose} />
        </>
      ) : null}
      {viewer.isConfirmed ? (
        <BalanceNotices balanceCredits={overview.balanceCredits} debt={billing.debt} spendCap={billing.spendCap} autoOffReason={null} pending={[]} />
      ) : null}
      <AccountFigures overview={overview} lastDay={lastDay?.totals ?? null} />
      {last === null ? <FirstSteps hasKey={hasKey} mayCreateKeys={mayCreateKeys} /> : <RecentActivity portal={portal} paceDays={overview.paceDays} />}
    </>
  )
}
