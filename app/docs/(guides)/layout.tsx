import type { ReactNode } from 'react'
import { SiteFrame } from '#server/pages/site-frame.tsx'

export default function DocsLayout({ children }: { children: ReactNode }) {
  return <SiteFrame current="docs">{children}</SiteFrame>
}
