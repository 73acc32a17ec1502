import type { ReactNode } from 'react'
import { SiteShell } from '#components/site/site-shell.tsx'

export default function ReferenceLayout({ children }: { children: ReactNode }) {
  return <SiteShell current="reference">{children}</SiteShell>
}
