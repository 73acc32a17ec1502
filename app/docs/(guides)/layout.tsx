import type { ReactNode } from 'react'
import { SiteShell } from '#components/site/site-shell.tsx'

export default function DocsLayout({ children }: { children: ReactNode }) {
  return <SiteShell current="docs">{children}</SiteShell>
}
