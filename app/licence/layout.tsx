import type { ReactNode } from 'react'
import { SiteFrame } from '#server/pages/site-frame.tsx'

export default function LicenceLayout({ children }: { children: ReactNode }) {
  return <SiteFrame>{children}</SiteFrame>
}
