import type { Metadata } from 'next'
import { SiteShell } from '../components/site/site-shell.tsx'

export const metadata: Metadata = { title: 'Page not found' }

export default function NotFound() {
  return (
    <SiteShell>
      <h1 className="text-hero font-semibold tracking-tight">Page not found</h1>
      <p className="mt-4 max-w-[68ch] text-prose text-ink-2">Check the address.</p>
      <p className="mt-4">
        <a className="prose-link inline-block py-1" href="/">
          Go to the start page
        </a>
      </p>
    </SiteShell>
  )
}
