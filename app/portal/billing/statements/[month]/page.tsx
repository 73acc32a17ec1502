import type { Metadata } from 'next'
import { cache } from 'react'
import { monthName, Statement } from '#components/portal/billing/statement.tsx'
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
  return (
    <div className="max-w-176">
      <p className="mb-2 print:hidden">
        <a className="prose-link" href="/portal/billing/statement#statements">
          Statement
        </a>
      </p>
      <h1 className="text-h1 font-semibold tracking-tight">Statement for {monthName(month)}</h1>
      <p className="mt-1 mb-6 text-note text-ink-2">Months and days are in UTC.</p>
      <Statement statement={statement} />
    </div>
  )
}
