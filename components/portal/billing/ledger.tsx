import { StatementHead } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { Path } from '#components/ui/phrase.tsx'
import { number } from '../amounts.ts'
import { MonthSelect } from './month-select.tsx'

export type Line = {
  readonly at: string
  readonly kind: string
  readonly credits: number
  readonly balanceCredits: number
  readonly actor: string
  readonly reason: string
  readonly request: string | null
  readonly topUp: string | null
  readonly delivery: string | null
  readonly endpoint: string | null
  /** True if the line is the sum of all charges of a day. */
  readonly isDay?: boolean
}

const titles: Readonly<Record<string, string>> = {
  starter: 'Starter credits',
  top_up: 'Top-up',
  charge: 'Call',
  webhook: 'Webhook delivered',
  adjustment: 'Adjustment',
  reversal: 'Charge reversed',
  refund: 'Refund',
  dispute: 'Dispute',
}

/** Returns the display name of a kind of ledger line. */
export const kindName = (kind: string): string => titles[kind] ?? kind

/** Returns the title of a ledger line: the endpoint that was charged, or the kind of the line. */
const lineTitle = ({ kind, endpoint, isDay }: Line): string => (isDay ? 'Calls and webhooks' : (endpoint ?? kindName(kind)))

/**
 * Returns the reason for a ledger line, or null if it is empty or only repeats the title. Removes the final full stop, except of a note
 * to the customer, and `.00` from whole pounds.
 */
function lineReason(line: Line): string | null {
  const reason = line.reason.replace(/\.$/, '').replace(/(?<=£[\d,]+)\.00(?!\d)/, '')
  if (reason === '' || reason === lineTitle(line) || line.kind === 'webhook') return null
  return line.kind === 'adjustment' ? line.reason : reason
}

const cell = 'py-2 pl-3 text-right align-baseline text-table tabular-nums'

const signed = (credits: number): string => (credits > 0 ? `+${number(credits)}` : number(credits))

/** URLs that a ledger line links to, which differ for the account owner and for administrators. Null if there is no page to link to. */
export type LinePlaces = { readonly request: (id: string) => string; readonly topUp: (id: string) => string | null }

const portalPlaces: LinePlaces = { request: (id) => `/portal/requests/${id}`, topUp: (id) => `/portal/billing/top-ups/${id}` }

/** Title of a line, linked to the charged request or the payment if there is one. */
function LineTitle({ line, places }: { line: Line; places: LinePlaces }) {
  const title = line.endpoint === null ? lineTitle(line) : <Path text={line.endpoint} />
  const href = line.request !== null ? places.request(line.request) : line.topUp !== null ? places.topUp(line.topUp) : null
  return href === null ? (
    title
  ) : (
    <a className="prose-link" href={href}>
      {title}
    </a>
  )
}

/** Time of a line, or the day of a sum of charges, linked to its requests. */
function LineDate({ at, isDay }: Line) {
  return isDay ? (
    <a className="prose-link" href={`/portal/requests?${new URLSearchParams({ from: at, to: at })}`}>
      <Time at={at} look="day" />
    </a>
  ) : (
    <Time at={at} />
  )
}

function LedgerLine({ line, isMarked, places }: { line: Line; isMarked: boolean; places: LinePlaces }) {
  const reason = lineReason(line)
  return (
    <tr id={line.request ?? undefined} className={`border-b border-line ${isMarked ? 'bg-accent-wash' : ''}`}>
      <td className="w-26 py-2 pr-3 align-baseline text-note text-ink-2 sm:w-56 sm:whitespace-nowrap">
        <LineDate {...line} />
      </td>
      <th scope="row" className="py-2 text-left align-baseline font-normal">
        <span className="flex flex-wrap items-baseline gap-x-3">
          <LineTitle line={line} places={places} />
          {reason === null ? null : <span className="text-note">{reason}</span>}
        </span>
      </th>
      <td className={cell}>{signed(line.credits)}</td>
      <td className={cell}>{number(line.balanceCredits)}</td>
    </tr>
  )
}

type Props = {
  caption: string
  /** Newest first. */
  lines: readonly Line[]
  /** True if the newest ledger entry is among the lines. */
  isNewest: boolean
  /** Id of the request to highlight. */
  marked: string | null
  places?: LinePlaces
}

/**
 * Statement with a running balance, newest line first: each line with the balance after it, and the balance before the oldest line. On later pages, the
 * balance carried forward comes first.
 */
export function LedgerTable({ caption, lines, isNewest, marked, places = portalPlaces }: Props) {
  const [newest, oldest] = [lines[0], lines.at(-1)]
  return (
    <table className="w-full">
      <caption className="sr-only">{caption}</caption>
      <StatementHead what="Transaction" hasDate />
      <tbody>
        {isNewest ? null : (
          <tr className="border-b border-line text-ink-2">
            <th scope="row" colSpan={3} className="py-2 text-left font-normal">
              Carried forward
            </th>
            <td className={cell}>{number(newest?.balanceCredits ?? 0)}</td>
          </tr>
        )}
        {lines.map((line) => (
          <LedgerLine
            key={`${line.at} ${line.kind} ${line.balanceCredits} ${line.request}`}
            line={line}
            isMarked={line.request !== null && line.request === marked}
            places={places}
          />
        ))}
      </tbody>
      <tfoot>
        {oldest === undefined ? null : (
          <tr className="text-ink-2">
            <th scope="row" colSpan={3} className="py-2 text-left font-normal">
              Brought forward
            </th>
            <td className={cell}>{number(oldest.balanceCredits - oldest.credits)}</td>
          </tr>
        )}
      </tfoot>
    </table>
  )
}

/** Latest transactions with the charges of each day together, and a link to the statement, which lists every charge. */
export function LatestTransactions({ lines }: { lines: readonly Line[] }) {
  return (
    <section aria-labelledby="latest" className="mt-10">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-4">
        <h2 id="latest" className="text-h2 font-semibold">
          Latest transactions
        </h2>
        {lines.length === 0 ? null : (
          <a className="prose-link" href="/portal/billing/statement">
            Every transaction
          </a>
        )}
      </div>
      {lines.length === 0 ? (
        <p>No transactions yet. Your first call or top-up will appear here.</p>
      ) : (
        <LedgerTable caption="Latest transactions with the balance after each" lines={lines} isNewest marked={null} />
      )}
    </section>
  )
}

type LedgerSectionProps = {
  lines: readonly Line[]
  /** Cursor of the next older page; null on the last page. */
  nextCursor: string | null
  isNewest: boolean
  marked: string | null
  /** Months with a statement, such as `2026-11`, newest first. */
  months: readonly string[]
}

/** Every charge and every other ledger entry, paginated. */
export function LedgerSection({ lines, nextCursor, isNewest, marked, months }: LedgerSectionProps) {
  return (
    <section id="ledger" aria-labelledby="ledger-title">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <h2 id="ledger-title" className="text-h2 font-semibold">
          Transactions
        </h2>
        <p className="flex gap-4 empty:hidden sm:ml-auto">
          {nextCursor === null ? null : (
            <a className="prose-link" href={`/portal/billing/statement?before=${encodeURIComponent(nextCursor)}`}>
              Older transactions
            </a>
          )}
          {isNewest ? null : (
            <a className="prose-link" href="/portal/billing/statement">
              Newest transactions
            </a>
          )}
        </p>
        <MonthSelect months={months} />
      </div>
      {lines.length === 0 ? (
        <p>No transactions yet. Your first call or top-up will appear here.</p>
      ) : (
        <LedgerTable caption="Ledger with the balance after each transaction" lines={lines} isNewest={isNewest} marked={marked} />
      )}
    </section>
  )
}
