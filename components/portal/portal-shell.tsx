import type { ReactNode } from 'react'
import { PortalNav } from './portal-nav.tsx'
import type { PortalPage } from './portal-pages.ts'

type Props = {
  current: PortalPage | undefined
  /** Name of the account, or its address. */
  who: string
  /** What the account has, kept true while the page is open. */
  balance: ReactNode
  signOut: () => Promise<void>
  children: ReactNode
}

/** Top bar, sidebar and main of every page of the portal. On a narrow screen the sidebar is behind a word; the balance stays. */
export function PortalShell({ current, who, balance, signOut, children }: Props) {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-20 focus:rounded-control focus:bg-surface focus:p-2 print:hidden"
      >
        Skip to content
      </a>
      <header className="border-b border-line bg-surface">
        <div className="relative flex min-h-14 items-center justify-between gap-4 px-4 lg:px-6">
          <a href="/portal" className="flex min-h-11 items-center gap-2.5 font-semibold">
            <svg viewBox="0 0 32 32" aria-hidden="true" className="size-6 shrink-0">
              <rect width="32" height="32" rx="6" className="fill-accent" />
              <path d="M8 11h16M8 19h16M8 23h16" className="stroke-on-accent" strokeWidth="2.5" />
            </svg>
            <span className="max-sm:sr-only">Savings Rates API</span>
          </a>
          <div className="flex min-w-0 items-center gap-4">
            {balance}
            {balance === null ? null : (
              <a href="/portal/billing/top-up" className="prose-link flex min-h-11 items-center whitespace-nowrap">
                Top up
              </a>
            )}
            <span className="max-w-64 truncate border-l border-line pl-4 text-ink-2 max-lg:hidden">{who}</span>
            <details className="lg:hidden">
              <summary className="flex min-h-11 cursor-pointer list-none items-center px-1 font-medium [&::-webkit-details-marker]:hidden">Menu</summary>
              <div className="absolute inset-x-0 top-full z-10 border-b border-line bg-surface px-2 py-2 shadow-float">
                <p className="truncate px-3 py-2 text-note text-ink-2">{who}</p>
                <PortalNav current={current} signOut={signOut} />
              </div>
            </details>
          </div>
        </div>
      </header>
      <div className="flex grow">
        <aside className="w-54 shrink-0 border-r border-line px-3 py-5 max-lg:hidden">
          <PortalNav current={current} signOut={signOut} />
        </aside>
        <main id="content" tabIndex={-1} className="min-w-0 grow px-4 pt-6 pb-16 outline-none lg:px-10 lg:pt-8">
          <div className="max-w-280">{children}</div>
        </main>
      </div>
    </div>
  )
}
