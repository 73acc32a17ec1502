import { StatementHead } from '#components/data/statement-head.tsx'
import { Path } from '#components/ui/phrase.tsx'

export type Entry = { readonly what: string; readonly answer: string; readonly credits: number; readonly balance: number }

/** `+20`, `−5` with a true minus sign, `0`. */
function signed(credits: number): string {
  if (credits === 0) return '0'
  return credits > 0 ? `+${credits}` : `−${Math.abs(credits)}`
}

const number = 'py-2.5 pl-3 text-right align-top font-mono text-table'

function Line({ entry }: { entry: Entry }) {
  const isCall = /^[A-Z]+ \//.test(entry.what)
  return (
    <tr className="border-b border-line">
      <th scope="row" className="py-2.5 text-left align-top font-normal">
        {isCall ? <Path text={entry.what} /> : entry.what}
        <span className="block text-note text-ink-2">{entry.answer}</span>
      </th>
      <td className={number}>{signed(entry.credits)}</td>
      <td className={number}>{entry.balance}</td>
    </tr>
  )
}

/** Statement with running balance: one line per call. */
export function StatementPreview({ title, entries }: { title: string; entries: readonly Entry[] }) {
  return (
    <table className="w-full border-t border-line-strong">
      <caption className="pb-3 text-left text-h2 font-semibold text-balance">{title}</caption>
      <StatementHead what="Call" />
      <tbody>
        {entries.map((entry) => (
          <Line key={entry.what} entry={entry} />
        ))}
      </tbody>
      <tfoot>
        <tr className="border-t-3 border-double border-line-strong font-semibold">
          <th scope="row" colSpan={2} className="py-2.5 text-left">
            Closing balance
          </th>
          <td className={number}>{entries.at(-1)?.balance ?? 0}</td>
        </tr>
      </tfoot>
    </table>
  )
}
