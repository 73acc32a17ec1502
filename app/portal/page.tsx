import type { Metadata } from 'next'
import { AccountFigures } from '../../components/portal/account-figures.tsx'
import { BalanceNotices } from '../../components/portal/billing/balance-notices.tsx'
import { FailedPanel } from '../../components/portal/failed-panel.tsx'
import { FirstSteps } from '../../components/portal/first-steps.tsx'
import { LiveRequests } from '../../components/portal/live-requests.tsx'
import { nextAction } from '../../components/portal/next-action.ts'
import { RecentRequests, RecentUsage } from '../../components/portal/recent-usage.tsx'
import { ReviewNotice } from '../../components/portal/review-notice.tsx'
import { lastDays } from '../../components/portal/usage-view.ts'
import { ButtonLink } from '../../components/ui/button.tsx'
import { portalCaller, signedIn } from '../portal-caller.ts'
import { Prefetched } from '../prefetched.tsx'
import { loaded } from './loaded.ts'

export const metadata: Metadata = { title: 'Overview' }

const newest = { search: null, endpoint: null, status: null, key: null, before: null, limit: 10 }

export default async function OverviewPage() {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const portal = await portalCaller()
  const range = lastDays(14, new Date(Date.now()))
  const usage = loaded(portal.usage.report({ ...range, by: 'endpoint' }))
  const [overview, billing, keys, last] = await Promise.all([
    portal.account.overview(),
    portal.billing.overview(),
    portal.keys.list(),
    portal.account.lastRequest(),
  ])
  const { data, reference } = await usage
  const isWorking = ({ state }: { state: string }) => state === 'active' || state === 'ending'
  const action = nextAction(overview)
  const again = (
    <ButtonLink kind="second" href="/portal">
      Try again
    </ButtonLink>
  )
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-h1 font-semibold tracking-tight">Overview</h1>
        <ButtonLink kind="primary" href={action.href}>
          {action.name}
        </ButtonLink>
      </div>
      {viewer.state === 'review' ? <ReviewNotice /> : null}
      <BalanceNotices balanceCredits={overview.balanceCredits} debt={billing.debt} autoOffReason={null} pending={[]} />
      <AccountFigures overview={overview} />
      {last === null ? <FirstSteps hasKey={keys.some(isWorking)} /> : null}
      {last === null ? null : data === null ? (
        <FailedPanel what="your usage" reference={reference} again={again} />
      ) : (
        <RecentUsage usage={data} today={range.to} />
      )}
      {last === null ? null : (
        <RecentRequests>
          <Prefetched queries={(client, { requests }) => [client.prefetchQuery(requests.list.queryOptions(newest))]}>
            <LiveRequests view={newest} limit={newest.limit} isPaged={false} empty={<p className="py-3">No requests in the last 30 days.</p>} />
          </Prefetched>
        </RecentRequests>
      )}
    </>
  )
}
