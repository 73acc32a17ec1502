import type { ReactNode } from 'react'
import { SiteShell } from '#components/site/site-shell.tsx'
import { currentViewer } from '#server/auth/current-request.ts'

export default async function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <SiteShell isSignedIn={(await currentViewer()) !== null}>
      <div className="mx-auto max-w-104">{children}</div>
    </SiteShell>
  )
}
