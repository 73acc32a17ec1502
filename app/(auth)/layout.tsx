import type { ReactNode } from 'react'
import { NeedsScripts } from '#components/site/needs-scripts.tsx'
import { SiteShell } from '#components/site/site-shell.tsx'

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <SiteShell>
      <div className="mx-auto max-w-104">
        <NeedsScripts />
        {children}
      </div>
    </SiteShell>
  )
}
