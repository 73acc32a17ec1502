import type { ReactNode } from 'react'

/** Section of an admin page with an introduction. */
export function DraftSection({ id, title, lead, children }: { id: string; title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <section aria-labelledby={`part-${id}`} className="mt-10">
      <h2 id={`part-${id}`} className="text-h2 font-semibold">
        {title}
      </h2>
      {lead === undefined ? null : <p className="mt-1 max-w-[68ch] text-pretty text-ink-2">{lead}</p>}
      <div className="mt-4">{children}</div>
    </section>
  )
}
