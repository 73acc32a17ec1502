import type { ReactNode } from 'react'
import { SiteFrame } from '#server/pages/site-frame.tsx'

export default function ReferenceLayout({ children }: { children: ReactNode }) {
  return <SiteFrame current="reference">{children}</SiteFrame>
}
