import type { ReactNode } from 'react'
import { SiteFrame } from '#server/pages/site-frame.tsx'

export default function PricesLayout({ children }: { children: ReactNode }) {
  return <SiteFrame current="prices">{children}</SiteFrame>
}
