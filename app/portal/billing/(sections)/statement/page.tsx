import type { Metadata } from 'next'
import { LedgerSection } from '#components/portal/billing/ledger.tsx'
import { StatementList } from '#components/portal/billing/statement.tsx'
import { SettingsSection as Section } from '#components/portal/settings/settings-parts.tsx'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'

export const metadata: Metadata = { title: 'Statement' }

type Query = { before?: string; request?: string }

const linesShown = 25

const place = (text = ''): string | null => (/^\d{1,18}_-?\d{1,18}_[0-9a-f-]{0,36}$/.test(text) ? text : null)

export default async function StatementPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { state } = await signedIn()
  if (state === 'blocked') return null
  const { before, request = null } = await searchParams
  const { billing } = await portalCaller()
  const cursor = place(before)
  const [ledger, months] = await Promise.all([billing.ledger({ cursor, request, limit: linesShown }), billing.statementMonths()])
  return (
    <>
      <LedgerSection {...ledger} isNewest={cursor === null && request === null} marked={request} months={months} />
      <div className="mt-10">
        <Section id="statements" title="Monthly statements" lead="One statement per month (UTC), with all transactions as CSV or JSON.">
          <StatementList months={months} />
        </Section>
      </div>
    </>
  )
}
