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
