import type { ReactNode } from 'react'
import { NeedsScripts } from '#components/site/needs-scripts.tsx'
import { SiteShell } from '#components/site/site-shell.tsx'

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <SiteShell>
      <div className="mx-auto max-w-112 sm:mt-6 sm:rounded-panel sm:border sm:border-line sm:bg-surface sm:p-8 sm:shadow-panel">
        <NeedsScripts />
        {children}
      </div>
    </SiteShell>
  )
}
