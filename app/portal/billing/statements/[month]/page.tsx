import type { Metadata } from 'next'
import { cache } from 'react'
import { monthName } from '#components/data/time-format.ts'
import { MonthSelect } from '#components/portal/billing/month-select.tsx'
import { Statement } from '#components/portal/billing/statement.tsx'
import { BackLink } from '#components/ui/back-link.tsx'
import { missingThing, titled } from '#server/pages/missing.tsx'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'

type Props = { params: Promise<{ month: string }> }

const getStatement = cache(async (month: string) => {
  const { billing } = await portalCaller()
  return (await billing.statementMonths()).includes(month) ? billing.statement({ month }) : null
})

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { month } = await params
  return titled('Statement', () => getStatement(month))
}

export default async function StatementPage({ params }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const { month } = await params
  const statement = await getStatement(month)
  if (statement === null) return missingThing()
  const months = await (await portalCaller()).billing.statementMonths()
  return (
    <div className="max-w-176">
      <BackLink href="/portal/billing/statement" name="Statement" />
      <div className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <h1 className="text-h1 font-semibold tracking-tight">Statement for {monthName(month)}</h1>
          <p className="mt-1 text-note text-ink-2">Months and days are in UTC.</p>
        </div>
        <MonthSelect months={months} shown={month} />
      </div>
      <Statement statement={statement} />
    </div>
  )
}
