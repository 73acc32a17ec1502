import type { ReactNode } from 'react'
import { SiteShell } from '#components/site/site-shell.tsx'

export default function LicenceLayout({ children }: { children: ReactNode }) {
  return <SiteShell>{children}</SiteShell>
}
