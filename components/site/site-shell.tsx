import type { ReactNode } from 'react'
import { SiteFooter } from './site-footer.tsx'
import { SiteHeader } from './site-header.tsx'
import type { SitePart } from './site-pages.ts'

type Props = { current?: SitePart; isSignedIn?: boolean; children: ReactNode }

/** Header, main and footer of every public page. `current` is the section that the page belongs to. */
export function SiteShell({ current, isSignedIn = false, children }: Props) {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-20 focus:rounded-control focus:bg-surface focus:p-2 print:hidden"
      >
        Skip to content
      </a>
      <SiteHeader current={current} isSignedIn={isSignedIn} />
      <main id="content" tabIndex={-1} className="mx-auto w-full max-w-280 grow px-4 pt-8 pb-16 outline-none sm:px-6 sm:pt-10">
        {children}
      </main>
      <SiteFooter />
    </div>
  )
}
