import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { monthName } from '../../../../../components/portal/billing/month-words.ts'
import { Statement } from '../../../../../components/portal/billing/statement.tsx'
import { portalCaller, signedIn } from '../../../../portal-caller.ts'

type Props = { params: Promise<{ month: string }> }

const statementOf = cache(async (month: string) => {
  const { billing } = await portalCaller()
  return (await billing.statementMonths()).includes(month) ? billing.statement({ month }) : notFound()
})

/** Asks for the statement itself, so that a page that does not exist is known before it is begun and is called so. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const viewer = await signedIn()
  if (viewer.state !== 'blocked') await statementOf((await params).month)
  return { title: 'Statement' }
}

export default async function StatementPage({ params }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const { month } = await params
  const statement = await statementOf(month)
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
