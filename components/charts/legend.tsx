export type LegendEntry = {
  readonly id: string
  readonly name: string
  readonly value: string
  readonly swatch: string /** True for a path or another piece of code. */
  readonly isCode?: boolean
}

/** Legend of a chart: colour, name and total or latest value of each series. */
export function Legend({ entries, note }: { entries: readonly LegendEntry[]; note?: string | null }) {
  return (
    <ul className="mt-4 flex flex-wrap gap-x-6 gap-y-1 text-table">
      {entries.map(({ id, name, value, swatch, isCode = false }) => (
        <li key={id} className="flex min-w-0 items-baseline gap-2">
          <span aria-hidden="true" className={`size-3 shrink-0 ${swatch}`} />
          <span className={`min-w-0 wrap-anywhere ${isCode ? 'font-mono text-note' : ''}`}>{name}</span>
          <span className="whitespace-nowrap text-ink-2 tabular-nums">{value}</span>
        </li>
      ))}
      {note ? <li className="text-ink-2">{note}</li> : null}
    </ul>
  )
}
