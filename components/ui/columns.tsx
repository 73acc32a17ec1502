import type { ReactNode } from 'react'

/** Main content with details next to it on wide screens, and below it elsewhere. */
export function Columns({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return (
    <div className="grid gap-x-10 gap-y-10 xl:grid-cols-[minmax(0,1fr)_18rem]">
      <div className="flex min-w-0 flex-col gap-10">{children}</div>
      <div className="flex min-w-0 flex-col gap-8">{aside}</div>
    </div>
  )
}

/** Panel next to the main content. */
export function AsidePanel({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="rounded-panel border border-line bg-surface p-4">
      <h2 id={id} className="mb-1 text-h2 font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}
