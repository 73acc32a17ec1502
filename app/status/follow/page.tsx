import type { Metadata } from 'next'
import { FollowStatus, followSteps } from '#components/site/follow-status.tsx'
import { SiteFrame } from '#server/pages/site-frame.tsx'

export const metadata: Metadata = { title: 'Status emails', robots: { index: false } }

export default async function FollowPage({ searchParams }: { searchParams: Promise<{ step?: string | string[] }> }) {
  const { step } = await searchParams
  return (
    <SiteFrame current="status">
      <FollowStatus step={followSteps.find((known) => known === step) ?? null} />
    </SiteFrame>
  )
}
