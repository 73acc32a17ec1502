import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { monthName } from '../../../../../components/portal/billing/month-words.ts'
import { Statement } from '../../../../../components/portal/billing/statement.tsx'
import { portalCaller, signedIn } from '../../../../portal-caller.ts'

type Props = { params: Promise<{ month: string }> }

export const metadata: Metadata = { title: 'Statement' }

export default async function StatementPage({ params }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const { month } = await params
  const { billing } = await portalCaller()
  if (!(await billing.statementMonths()).includes(month)) notFound()
  const statement = await billing.statement({ month })
  return (
    <div className="max-w-176">
      <p className="mb-2 print:hidden">
        <a className="prose-link" href="/portal/billing#statements">
          Billing
        </a>
      </p>
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">Statement of {monthName(month)}</h1>
      <Statement statement={statement} />
    </div>
  )
}
