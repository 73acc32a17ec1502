import type { Line } from './ledger-labels.ts'
import { LedgerTable } from './ledger-table.tsx'

type Props = {
  lines: readonly Line[]
  /** Cursor of the next older page; null on the last page. */
  nextCursor: string | null
  isNewest: boolean
  marked: string | null
}

/** Every charge and every other ledger entry, paginated. */
export function LedgerSection({ lines, nextCursor, isNewest, marked }: Props) {
  return (
    <section id="ledger" aria-labelledby="ledger-title" className="mt-10">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-4">
        <h2 id="ledger-title" className="text-h2 font-semibold">
          Ledger
        </h2>
        <p className="flex gap-4">
          {nextCursor === null ? null : (
            <a className="prose-link" href={`/portal/billing?before=${encodeURIComponent(nextCursor)}#ledger`}>
              Older transactions
            </a>
          )}
          {isNewest ? null : (
            <a className="prose-link" href="/portal/billing#ledger">
              Newest transactions
            </a>
          )}
        </p>
      </div>
      {lines.length === 0 ? (
        <p>No transactions yet. Your first call or top-up will appear here.</p>
      ) : (
        <LedgerTable caption="Ledger with the balance after each transaction" lines={lines} isNewest={isNewest} marked={marked} />
      )}
    </section>
  )
}
