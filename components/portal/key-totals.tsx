import type { ReactNode } from 'react'
import { Chevron } from '#components/ui/chevron.tsx'
import { credits, number } from './amounts.ts'
import { KeyTable, type ShownKey } from './key-table.tsx'

/** Line below the keys. Its amount is below those of the table, whose last column is the menu of a key. */
const line = 'flex justify-between gap-x-3 py-2 pr-11 sm:pr-13 xl:pr-16.5'

function Spent({ count }: { count: number }) {
  return (
    <span className="whitespace-nowrap tabular-nums">
      {credits(count)}
      <span className="sr-only"> this month</span>
    </span>
  )
}

type EndedKeysProps = {
  keys: readonly ShownKey[]
  next: string | null
  count: number
  spentCredits: number
  /** True if the URL asks for a particular page of the list. */
  isPage: boolean
  /** Confirmation of an action on one of these keys. */
  done: ReactNode
}

/** Line with the number of inactive keys and their spend, which opens the list of them, collapsed by default and paginated. */
export function EndedKeys({ keys, next, count, spentCredits, isPage, done }: EndedKeysProps) {
  if (count === 0) return null
  return (
    <details id="ended" className="group text-table" open={isPage || done !== null}>
      <summary
        className={`${line} cursor-pointer list-none items-center border-b border-line hover:bg-hover max-sm:min-h-11 [&::-webkit-details-marker]:hidden`}
      >
        <span className="flex items-center gap-2">
          {`${number(count)} inactive ${count === 1 ? 'key' : 'keys'}`}
          <Chevron />
        </span>{' '}
        <Spent count={spentCredits} />
      </summary>
      <div className="border-b border-line py-3 pl-4">
        {done}
        {keys.length === 0 ? <p>No more keys.</p> : <KeyTable keys={keys} />}
        <p className="mt-3 flex flex-wrap gap-x-6 empty:hidden">
          {isPage ? (
            <a className="prose-link" href="/portal/keys">
              Newest keys
            </a>
          ) : null}
          {next === null ? null : (
            <a className="prose-link" href={`/portal/keys?before=${next}#ended`}>
              Older keys
            </a>
          )}
        </p>
      </div>
    </details>
  )
}

/** Line of the sum below the keys. */
function SumLine({ name, spent, isTotal = false }: { name: string; spent: number; isTotal?: boolean }) {
  return (
    <div className={`${line} ${isTotal ? 'border-b-3 border-double border-line-strong font-medium' : 'border-b border-line'}`}>
      <dt>{name}</dt>
      <dd>
        <Spent count={spent} />
      </dd>
    </div>
  )
}

type Props = {
  /** Credits that the whole account spent this month; null if they couldn't be loaded. */
  spent: number | null
  spentByKeys: number
}

/** Spend of the whole account, and what isn't in the lists above: the spend of webhooks. */
export function KeyTotals({ spent, spentByKeys }: Props) {
  return (
    <>
      {spent === null ? null : (
        <dl className="text-table">
          {spent > spentByKeys ? <SumLine name="Webhooks, and old keys after rotation" spent={spent - spentByKeys} /> : null}
          <SumLine name="Whole account" spent={spent} isTotal />
        </dl>
      )}
      <p className="mt-3 text-note text-ink-2">
        Usage is per UTC day and includes today.{' '}
        <a className="prose-link" href="/portal/usage?days=30&by=key&show=calls">
          Usage by key
        </a>
      </p>
    </>
  )
}
