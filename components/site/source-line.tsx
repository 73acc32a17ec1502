import { momentDay } from './page-words.ts'

/** How old what the page shows is, and the line that has to stand wherever the data are shown. */
export function SourceLine({ asOf, attribution }: { asOf: string | null; attribution: string }) {
  return (
    <p className="mt-12 border-t border-line pt-4 text-note text-ink-2 text-pretty">
      {asOf === null ? null : `Market data as of ${momentDay(asOf)}. `}
      {attribution}.
    </p>
  )
}
