import type { Metadata } from 'next'
import { BalanceSteps } from '#components/portal/billing/balance-steps.tsx'
import { Billing } from '#components/portal/billing/billing.tsx'
import { LedgerSection } from '#components/portal/billing/ledger.tsx'
import { BalanceNotices } from '#components/portal/billing/notices.tsx'
import { AccountFigures } from '#components/portal/overview.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'
import * as actions from './actions.ts'

export const metadata: Metadata = { title: 'Billing' }

type Query = { before?: string; request?: string; payments?: string; done?: string }

const linesShown = 20
const billingActions = {
  alerts: actions.setAlertsAction,
  cap: actions.setCapAction,
  autoTopUp: actions.setAutoTopUpAction,
  removeCard: actions.removeCardAction,
  openStripe: actions.openStripeAction,
}

const digits = (text: string | undefined): string | null => (text !== undefined && /^\d{1,18}$/.test(text) ? text : null)
const place = (text: string | undefined): string | null => (text !== undefined && /^\d{1,18}_-?\d{1,18}_[0-9a-f-]{0,36}$/.test(text) ? text : null)

export default async function BillingPage({ searchParams }: { searchParams: Promise<Query> }) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const { before, request = null, payments, done } = await searchParams
  const { account, billing } = await portalCaller()
  const [cursor, paid] = [place(before), digits(payments)]
  const [figures, overview, days, ledger, topUps, months, notices] = await Promise.all([
    account.overview(),
    billing.overview(),
    billing.balanceDays(),
    billing.ledger({ cursor, request, limit: linesShown }),
    billing.topUps({ cursor: paid }),
    billing.statementMonths(),
    billing.notices(),
  ])
  const pending = topUps.topUps.filter(({ state }) => state === 'pending')
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-h1 font-semibold tracking-tight">Billing</h1>
        <ButtonLink kind="primary" href="/portal/billing/top-up">
          Top up
        </ButtonLink>
      </div>
      {viewer.isConfirmed ? <BalanceNotices {...overview} autoOffReason={overview.autoTopUp?.offReason ?? null} pending={pending} /> : null}
      <AccountFigures overview={figures} />
      <BalanceSteps days={days} />
      <LedgerSection {...ledger} isNewest={cursor === null && request === null} marked={request} />
      <Billing overview={overview} payments={{ ...topUps, isNewest: paid === null }} months={months} notices={notices} actions={billingActions} done={done} />
    </>
  )
}
