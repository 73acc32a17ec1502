import type { Metadata } from 'next'
import { FollowStatus, followSteps } from '#components/site/follow-status.tsx'
import { SiteShell } from '#components/site/site-shell.tsx'

export const metadata: Metadata = { title: 'Status emails', robots: { index: false } }

export default async function FollowPage({ searchParams }: { searchParams: Promise<{ step?: string | string[] }> }) {
  const { step } = await searchParams
  return (
    <SiteShell current="status">
      <FollowStatus step={followSteps.find((known) => known === step) ?? null} />
    </SiteShell>
  )
}
