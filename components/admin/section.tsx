import type { ReactNode } from 'react'

/** Section of an admin page with an optional link to the full list. */
export function Section({ id, title, more, children }: { id: string; title: string; more?: { href: string; name: string }; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-10">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id={id} className="text-h2 font-semibold">
          {title}
        </h2>
        {more === undefined ? null : (
          <a className="prose-link" href={more.href}>
            {more.name}
          </a>
        )}
      </div>
      {children}
    </section>
  )
}

/** Returns the URL of an account's admin page. */
export const accountHref = (id: string, more = ''): string => `/admin/accounts/${id}${more}`

/** Heading of an admin page with optional content next to it. */
export function AdminTitle({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  return (
    <div className="mb-6 flex flex-wrap items-center gap-3">
      <h1 className="text-h1 font-semibold tracking-tight wrap-anywhere">{children}</h1>
      {aside}
    </div>
  )
}

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

/** Class names of a filter control. */
export const filterBox = 'h-11 w-full min-w-0 rounded-control border border-line-strong bg-surface px-2 text-base sm:text-table'

/** Labelled control of a filter form. */
export function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is passed as children
    <label className="flex min-w-0 flex-col gap-1">
      <span className="text-note font-medium">{label}</span>
      {children}
    </label>
  )
}

/** Email of an account, followed by its permanent id. */
export function Person({ id, email }: { id: string; email: string }) {
  return (
    <span className="wrap-anywhere">
      {email} <span className="text-note font-normal text-ink-2">({id})</span>
    </span>
  )
}
