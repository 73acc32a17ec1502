import type { ReactNode } from 'react'

/** Section of a page with its own heading. */
export function Section({ id, title, lead, children }: { id: string; title: string; lead?: ReactNode | undefined; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-16">
      <h2 id={id} className="text-h1 font-semibold text-balance">
        {title}
      </h2>
      {lead === undefined ? null : <p className="mt-2 max-w-[68ch] text-ink-2">{lead}</p>}
      <div className="mt-5">{children}</div>
    </section>
  )
}
