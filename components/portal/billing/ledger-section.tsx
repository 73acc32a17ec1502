import { LedgerTable } from './ledger-table.tsx'
import type { Line } from './ledger-words.ts'

type Props = {
  lines: readonly Line[]
  /** Where older lines begin; null: there are none. */
  nextCursor: string | null
  isNewest: boolean
  marked: string | null
}

/** Every charge and every entry, a page at a time. */
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
              Older lines
            </a>
          )}
          {isNewest ? null : (
            <a className="prose-link" href="/portal/billing#ledger">
              Newest lines
            </a>
          )}
        </p>
      </div>
      {lines.length === 0 ? (
        <p>No lines yet. Your first call or top-up is the first one.</p>
      ) : (
        <LedgerTable caption="Ledger with the balance after each line" lines={lines} isNewest={isNewest} marked={marked} />
      )}
    </section>
  )
}
