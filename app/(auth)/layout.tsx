import type { ReactNode } from 'react'
import { SiteShell } from '../../components/site/site-shell.tsx'

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <SiteShell>
      <div className="mx-auto max-w-104">{children}</div>
    </SiteShell>
  )
}
