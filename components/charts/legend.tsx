export type LegendEntry = {
  readonly id: string
  readonly name: string
  readonly value: string
  readonly swatch: string /** True for a path or another piece of code. */
  readonly isCode?: boolean
}

/** Legend of a chart: colour, name and total or latest value of each series. The caption is below it. */
export function Legend({ entries, caption = [] }: { entries: readonly LegendEntry[]; caption?: readonly string[] }) {
  const list =
    entries.length === 0 ? null : (
      <ul className="flex min-w-0 flex-wrap gap-x-6 gap-y-1 text-table sm:grid sm:w-fit sm:grid-cols-[auto_auto]">
        {entries.map(({ id, name, value, swatch, isCode = false }) => (
          <li key={id} className="flex min-w-0 items-baseline gap-2">
            <span aria-hidden="true" className={`mt-[calc((1lh-0.75rem)/2)] size-3 shrink-0 self-start ${swatch}`} />
            <span className={`min-w-0 wrap-anywhere ${isCode ? 'font-mono text-note' : ''}`}>{name}</span>
            <span className="whitespace-nowrap text-ink-2 tabular-nums">{value}</span>
          </li>
        ))}
      </ul>
    )
  return (
    <div className="mt-4 flex flex-col gap-y-2">
      {list}
      {caption.length === 0 ? null : <p className="text-note text-ink-2">{caption.join(' ')}</p>}
    </div>
  )
}
