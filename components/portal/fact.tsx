import type { ReactNode } from 'react'

/** Row of a description list: label and value. `isStacked` puts the value below its label, for a narrow column. */
export function Fact({ name, isStacked = false, children }: { name: string; isStacked?: boolean; children: ReactNode }) {
  return (
    <div className={isStacked ? 'border-line py-2 not-last:border-b' : 'grid gap-x-4 border-b border-line py-2.5 sm:grid-cols-[12rem_1fr]'}>
      <dt className={isStacked ? 'text-note text-ink-2' : 'text-ink-2'}>{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  )
}
