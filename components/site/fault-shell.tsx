import type { ReactNode } from 'react'
import { productName } from '#server/api/contract/product-name.ts'
import { BrandMark } from './brand-mark.tsx'

/**
 * Header and main content of an error page. Simpler than the site's shell, because every page loads the code of its error pages, and because it must not depend
 * on anything that may have caused the error.
 */
export function FaultShell({ children }: { children: ReactNode }) {
  return (
    <div className="min-h-dvh">
      <header className="border-b border-line print:hidden">
        <div className="mx-auto w-full max-w-280 px-4 sm:px-6">
          <a href="/" className="flex min-h-14 w-fit items-center gap-2.5 font-semibold">
            <BrandMark />
            {productName}
          </a>
        </div>
      </header>
      <main id="content" className="mx-auto w-full max-w-280 px-4 pt-8 pb-16 sm:px-6 sm:pt-10">
        {children}
      </main>
    </div>
  )
}
