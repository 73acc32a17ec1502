import type { ReactNode } from 'react'
import { SiteShell } from '#components/site/site-shell.tsx'

export default function ChangelogLayout({ children }: { children: ReactNode }) {
  return <SiteShell current="changelog">{children}</SiteShell>
}
