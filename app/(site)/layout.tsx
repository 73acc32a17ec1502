import type { ReactNode } from 'react'
import { SiteFrame } from '#server/pages/site-frame.tsx'

export default function SiteLayout({ children }: { children: ReactNode }) {
  return <SiteFrame>{children}</SiteFrame>
}
