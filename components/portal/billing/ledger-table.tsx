import { StatementHead } from '#components/data/statement-head.tsx'
import { Time } from '#components/data/time.tsx'
import { Path } from '#components/ui/phrase.tsx'
import { number } from '../amounts.ts'
import { type Line, lineReason, lineTitle } from './ledger-labels.ts'

const cell = 'py-2 pl-3 text-right align-top font-mono text-table'

const signed = (credits: number): string => (credits > 0 ? `+${number(credits)}` : number(credits))

/** URLs of the pages behind a ledger line, for the account owner or an administrator. Null if there is no such page. */
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

function LedgerLine({ line, isMarked, places }: { line: Line; isMarked: boolean; places: LinePlaces }) {
  const reason = lineReason(line)
  return (
    <tr id={line.request ?? undefined} className={`border-b border-line ${isMarked ? 'bg-accent-wash' : ''}`}>
      <th scope="row" className="py-2 text-left align-top font-normal">
        <LineTitle line={line} places={places} />
        {reason === null ? null : <span className="block text-note">{reason}</span>}
        <span className="block text-note text-ink-2">
          <Time at={line.at} />
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
  /** True if nothing has happened after the last line. */
  isNewest: boolean
  /** Id of the request to highlight. */
  marked: string | null
  places?: LinePlaces
}

/** Statement with running balance: oldest line first, the balance after each line, the current balance below a double rule. */
export function LedgerTable({ caption, lines, isNewest, marked, places = portalPlaces }: Props) {
  const [newest, oldest] = [lines[0], lines.at(-1)]
  return (
    <table className="w-full border-t border-line-strong">
      <caption className="sr-only">{caption}</caption>
      <StatementHead what="Transaction" />
      <tbody>
        {oldest === undefined ? null : (
          <tr className="border-b border-line text-ink-2">
            <th scope="row" colSpan={2} className="py-2 text-left font-normal">
              Brought forward
            </th>
            <td className={cell}>{number(oldest.balanceCredits - oldest.credits)}</td>
          </tr>
        )}
        {lines.toReversed().map((line) => (
          <LedgerLine
            key={`${line.at} ${line.balanceCredits} ${line.request}`}
            line={line}
            isMarked={line.request !== null && line.request === marked}
            places={places}
          />
        ))}
      </tbody>
      <tfoot>
        <tr className={isNewest ? 'border-t-3 border-double border-line-strong font-semibold' : 'text-ink-2'}>
          <th scope="row" colSpan={2} className={`py-2 text-left ${isNewest ? '' : 'font-normal'}`}>
            {isNewest ? 'Balance' : 'Carried forward'}
          </th>
          <td className={cell}>{number(newest?.balanceCredits ?? 0)}</td>
        </tr>
      </tfoot>
    </table>
  )
}
