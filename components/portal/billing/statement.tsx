import type { ReactNode } from 'react'
import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { day, monthName } from '#components/data/time-format.ts'
import { pounds } from '#server/api/contract/price-kinds.ts'
import { number } from '../amounts.ts'
import { kindName } from './ledger.tsx'

/** Download links for a month's ledger. */
function StatementFiles({ month }: { month: string }) {
  const name = monthName(month)
  return (
    <span className="flex gap-4">
      {(['csv', 'json'] as const).map((format) => (
        <a key={format} className="prose-link" href={`/portal/billing/statements/${month}/ledger.${format}`} download={`ledger-${month}.${format}`}>
          <span className="sr-only">{name} as </span>
          {format.toUpperCase()}
        </a>
      ))}
    </span>
  )
}

/** Monthly statements with their downloads. */
export function StatementList({ months }: { months: readonly string[] }) {
  if (months.length === 0) return <p>No statements yet.</p>
  return (
    <ul className="divide-y divide-line border-y border-line">
      {months.map((month) => (
        <li key={month} className="flex min-h-10 flex-wrap items-center justify-between gap-x-6 py-1">
          <a className="prose-link" href={`/portal/billing/statements/${month}`}>
            {monthName(month)}
          </a>
          <StatementFiles month={month} />
        </li>
      ))}
    </ul>
  )
}

type Payment = {
  readonly topUp: string
  readonly paidAt: string
  readonly credits: number
  readonly netPence: number
  readonly vatPence: number
  readonly grossPence: number
}

export type Shown = {
  readonly month: string
  readonly isComplete: boolean
  readonly asOf: string
  readonly openingCredits: number
  readonly closingCredits: number
  readonly totals: readonly { readonly kind: string; readonly credits: number }[]
  readonly days: readonly { readonly day: string; readonly credits: number; readonly requests: number }[]
  readonly payments: readonly Payment[]
}

const cell = 'py-2 pl-3 text-right text-table tabular-nums'

/** Opening balance, totals per kind, and closing balance of the month. */
function Totals({ statement }: { statement: Shown }) {
  const { openingCredits, closingCredits, totals, isComplete, asOf } = statement
  return (
    <table className="w-full max-w-120 border-t border-line-strong">
      <caption className="sr-only">Credits in {monthName(statement.month)}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Type</th>
          <th scope="col">Credits</th>
        </tr>
      </thead>
      <tbody>
        <tr className="border-b border-line text-ink-2">
          <th scope="row" className="py-2 text-left font-normal">
            Brought forward
          </th>
          <td className={cell}>{number(openingCredits)}</td>
        </tr>
        {totals.map(({ kind, credits }) => (
          <tr key={kind} className="border-b border-line">
            <th scope="row" className="py-2 text-left font-normal">
              {kind === 'charge' ? 'Calls' : kindName(kind)}
            </th>
            <td className={cell}>{credits > 0 ? `+${number(credits)}` : number(credits)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="border-t-3 border-double border-line-strong font-semibold">
          <th scope="row" className="py-2 text-left">
            {isComplete ? (
              'Closing balance'
            ) : (
              <>
                Balance on <Time at={asOf} isStop />
              </>
            )}
          </th>
          <td className={cell}>{number(closingCredits)}</td>
        </tr>
      </tfoot>
    </table>
  )
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-10">
      <h2 id={id} className="mb-2 text-h2 font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}

/** Shown if any payment includes VAT. */
const vatColumns = [
  { name: 'Net', isNumber: true, cell: ({ netPence }: Payment) => pounds(netPence) },
  { name: 'VAT', isNumber: true, cell: ({ vatPence }: Payment) => pounds(vatPence) },
]

/** Monthly statement of an account. */
export function Statement({ statement }: { statement: Shown }) {
  const { month, days, payments } = statement
  return (
    <>
      <Totals statement={statement} />
      <div className="mt-4">
        <p className="mb-1 text-ink-2">All transactions in this month:</p>
        <StatementFiles month={month} />
      </div>
      {payments.length === 0 ? null : (
        <Part id="payments" title="Payments">
          <DataTable
            caption={`Payments in ${monthName(month)}`}
            rows={payments}
            rowKey={({ topUp }) => topUp}
            columns={[
              {
                name: 'Receipt',
                isHead: true,
                cell: ({ topUp, paidAt }) => (
                  <a className="prose-link" href={`/portal/billing/top-ups/${topUp}`}>
                    {day(new Date(paidAt))}
                  </a>
                ),
              },
              { name: 'Credits', isNumber: true, cell: ({ credits }) => number(credits) },
              ...(payments.some(({ vatPence }) => vatPence > 0) ? vatColumns : []),
              { name: 'Paid', isNumber: true, cell: ({ grossPence }) => pounds(grossPence) },
            ]}
          />
        </Part>
      )}
      {days.length === 0 ? null : (
        <Part id="days" title="Calls by UTC day">
          <DataTable
            caption={`Charged calls in ${monthName(month)} by UTC day`}
            rows={days}
            rowKey={(one) => one.day}
            columns={[
              { name: 'Day', isHead: true, cell: (one) => day(new Date(one.day)) },
              { name: 'Calls', isNumber: true, cell: ({ requests }) => number(requests) },
              { name: 'Credits', isNumber: true, cell: ({ credits }) => number(credits) },
            ]}
          />
        </Part>
      )}
    </>
  )
}
