import type { ReactNode } from 'react'

export type Fact = readonly [name: string, text: ReactNode]

/** Description list. Entries without a text are omitted. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="border-t border-line-strong">
      {facts
        .filter(([, text]) => text !== null)
        .map(([name, text]) => (
          <div key={name} className="border-b border-line py-2.5 sm:grid sm:grid-cols-[11rem_1fr] sm:gap-4">
            <dt className="text-ink-2">{name}</dt>
            <dd className="max-w-[68ch] text-pretty wrap-anywhere">{text}</dd>
          </div>
        ))}
    </dl>
  )
}
