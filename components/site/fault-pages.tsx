import type { ReactNode } from 'react'
import { Button } from '#components/ui/button.tsx'
import { productName } from '#server/api/contract/product-name.ts'

/** Error page. `reference` identifies the error in the log; `children` contains the retry controls. */
export function ServiceFault({ reference, children }: { reference: string | undefined; children: ReactNode }) {
  return (
    <>
      <title>{`There is a problem with the service – ${productName}`}</title>
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

const elsewhere = [
  { href: '/docs', name: 'Docs', text: 'Guides, from the first call to webhooks.' },
  { href: '/reference', name: 'API reference', text: 'Every endpoint, with prices and parameters.' },
  { href: '/status', name: 'Status', text: 'Service status and incidents.' },
  { href: '/help', name: 'Help', text: 'How to contact support.' },
] as const

/** Content of the site's 404 page: a search, and links to the main sections. */
export function NotFoundContent({ way = home }: { way?: PageLink }) {
  return (
    <>
      <h1 className="text-hero font-semibold tracking-tight">Page not found</h1>
      <p className="mt-4 max-w-[68ch] text-prose text-ink-2">
        That page doesn't exist.{' '}
        <a className="prose-link inline-block py-1" href={way.href}>
          {way.name}
        </a>
      </p>
      <search className="mt-8 block max-w-120">
        <form action="/docs/search" className="flex gap-2">
          <label htmlFor="search-missing" className="sr-only">
            Search the docs
          </label>
          <input
            id="search-missing"
            name="q"
            type="search"
            placeholder="Search the docs"
            className="h-11 min-w-0 grow rounded-control border border-line-strong bg-surface px-3 text-[1rem] placeholder:text-ink-3"
          />
          <Button kind="primary" type="submit">
            Search
          </Button>
        </form>
      </search>
      <ul className="mt-10 grid max-w-200 gap-x-8 border-t border-line sm:grid-cols-2">
        {elsewhere.map(({ href, name, text }) => (
          <li key={href} className="border-b border-line py-4">
            <a className="prose-link font-medium" href={href}>
              {name}
            </a>
            <p className="mt-0.5 text-ink-2">{text}</p>
          </li>
        ))}
      </ul>
    </>
  )
}
