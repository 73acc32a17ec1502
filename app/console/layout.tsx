import type { ReactNode } from 'react'
import { SiteShell } from '#components/site/site-shell.tsx'
import { auth } from '#server/auth/auth.ts'

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const viewer = await auth()
  return (
    <SiteShell current="console" isSignedIn={viewer !== null}>
      {children}
    </SiteShell>
  )
}
