import type { ReactNode } from 'react'
import { SiteShell } from '#components/site/site-shell.tsx'

export default function ConsoleLayout({ children }: { children: ReactNode }) {
  return <SiteShell current="console">{children}</SiteShell>
}
