import type { ReactNode } from 'react'

const pages = [
  { href: '/docs/prices', name: 'Prices' },
  { href: '/docs/errors', name: 'Errors' },
] as const

/** Header, main and footer of every public page. */
export function SiteShell({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#content" className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:rounded-control focus:bg-surface focus:p-2">
        Skip to content
      </a>
      <header className="border-b border-line">
        <div className="mx-auto flex w-full max-w-280 flex-wrap items-center justify-between gap-x-6 px-4 sm:px-6">
          <a href="/" className="flex min-h-12 items-center font-semibold">
            Savings Rates API
          </a>
          <nav aria-label="Site" className="flex gap-5">
            {pages.map(({ href, name }) => (
              <a key={href} href={href} className="flex min-h-12 items-center text-ink-2 underline-offset-3 hover:text-ink hover:underline">
                {name}
              </a>
            ))}
          </nav>
        </div>
      </header>
      <main id="content" className="mx-auto w-full max-w-280 grow px-4 pt-8 pb-16 sm:px-6 sm:pt-12">
        {children}
      </main>
      <SiteFooter />
    </div>
  )
}

function SiteFooter() {
  return (
    <footer className="border-t border-line">
      <div className="mx-auto w-full max-w-280 px-4 py-6 text-note text-ink-2 sm:px-6">
        <p className="text-pretty">Rates are data, not advice. Look at the provider’s own terms before you open an account.</p>
      </div>
    </footer>
  )
}
