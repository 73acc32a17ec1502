import type { ReactNode } from 'react'
import { SiteShell } from '#components/site/site-shell.tsx'
import { currentViewer } from '#server/auth/current-request.ts'

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const viewer = await currentViewer()
  return (
    <SiteShell current="console" isSignedIn={viewer !== null}>
      {children}
    </SiteShell>
  )
}
