import { formatLondonDay } from './formats.ts'

/** Age of the data on the page, and the required attribution. */
export function SourceLine({ asOf, attribution }: { asOf: string | null; attribution: string }) {
  return (
    <p className="mt-12 border-t border-line pt-4 text-note text-ink-2 text-pretty">
      {asOf === null ? null : `Market data as of ${formatLondonDay(asOf)}. `}
      {attribution}.
    </p>
  )
}
