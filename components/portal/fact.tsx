import type { ReactNode } from 'react'

/** A line of a list of facts about a thing: what it is called, and what it is. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 border-b border-line py-2.5 sm:grid-cols-[12rem_1fr]">
      <dt className="text-ink-2">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  )
}
