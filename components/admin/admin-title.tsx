import type { ReactNode } from 'react'

/** Heading of an admin page with optional content next to it. */
export function AdminTitle({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  return (
    <div className="mb-6 flex flex-wrap items-center gap-3">
      <h1 className="text-h1 font-semibold tracking-tight wrap-anywhere">{children}</h1>
      {aside}
    </div>
  )
}

/** Section of an admin page. */
export function AdminSection({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-10">
      <h2 id={id} className="mb-3 text-h2 font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}
