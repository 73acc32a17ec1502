import type { ReactNode } from 'react'
import { KeyTable, type ShownKey } from './key-table.tsx'

type Props = {
  keys: readonly ShownKey[]
  next: string | null
  count: number
  /** True if a page was requested. */
  isPage: boolean
  /** Confirmation of an action on one of these keys. */
  done: ReactNode
}

/** Inactive keys, collapsed by default and paginated. */
export function EndedKeys({ keys, next, count, isPage, done }: Props) {
  if (count === 0) return null
  return (
    <details id="ended" className="mt-8" open={isPage || done !== null}>
      <summary className="min-h-8 cursor-pointer font-medium">
        {count} inactive {count === 1 ? 'key' : 'keys'}
      </summary>
      <div className="mt-2">
        {done}
        {keys.length === 0 ? <p>No more keys.</p> : <KeyTable keys={keys} />}
        <p className="mt-3 flex flex-wrap gap-x-6">
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
