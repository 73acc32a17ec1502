import type { ReactNode } from 'react'

/** Error page. `reference` identifies the error in the log; `children` contains the retry controls. */
export function ServiceFault({ reference, children }: { reference: string | undefined; children: ReactNode }) {
  return (
    <>
      <title>There is a problem with the service – Savings Rates API</title>
      <h1 className="text-hero font-semibold tracking-tight text-balance">There is a problem with the service</h1>
      <p className="mt-4 max-w-[68ch] text-prose text-ink-2">Nothing was charged. Your keys and credits are not affected.</p>
      {reference === undefined ? null : (
        <p className="mt-2 text-ink-2">
          Reference <code className="font-mono">{reference}</code>
        </p>
      )}
      <p className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-2">
        {children}
        <a className="prose-link" href="/help">
          Help
        </a>
      </p>
    </>
  )
}

type PageLink = { readonly href: string; readonly name: string }

const home: PageLink = { href: '/', name: 'Go to the home page' }

/** Content of the site's 404 page. */
export function NotFoundContent({ way = home }: { way?: PageLink }) {
  return (
    <>
      <h1 className="text-hero font-semibold tracking-tight">Page not found</h1>
      <p className="mt-4 max-w-[68ch] text-prose text-ink-2">That page doesn't exist.</p>
      <p className="mt-4">
        <a className="prose-link inline-block py-1" href={way.href}>
          {way.name}
        </a>
      </p>
    </>
  )
}
