import type { ReactNode } from 'react'
import { SiteFrame } from '#server/pages/site-frame.tsx'

export default function ChangelogLayout({ children }: { children: ReactNode }) {
  return <SiteFrame current="changelog">{children}</SiteFrame>
}
