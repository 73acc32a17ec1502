import type { ReactNode } from 'react'

/** Large figure of a public page, with its name and a note, below a rule. In a `dl`. */
export function Figure({ value, name, children }: { value: ReactNode; name: string; children: ReactNode }) {
  return (
    <div className="flex flex-col border-t border-line-strong pt-3">
      <dt className="text-ink-2">{name}</dt>
      <dd className="order-first text-figure font-semibold tracking-tight">{value}</dd>
      <dd className="mt-1 text-note text-ink-2 text-pretty">{children}</dd>
    </div>
  )
}
