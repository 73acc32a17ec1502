import type { ReactNode } from 'react'
import { SiteShell } from '#components/site/site-shell.tsx'

export default function PricesLayout({ children }: { children: ReactNode }) {
  return <SiteShell current="prices">{children}</SiteShell>
}
