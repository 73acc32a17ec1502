import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { Letters } from '../../../components/portal/letters.tsx'
import { SiteShell } from '../../../components/site/site-shell.tsx'
import { currentRoom } from '../../../server/auth/current-request.ts'
import { shownOutbox } from '../../../server/auth/shown-outbox.ts'

export const metadata: Metadata = { title: 'Letters', robots: { index: false } }

export default async function OutboxPage() {
  const letters = await shownOutbox(await currentRoom())
  if (letters === null) notFound()
  return (
    <SiteShell>
      <h1 className="text-h1 font-semibold tracking-tight">Letters</h1>
      <p className="mt-2 max-w-[68ch] text-ink-2">This service has no mail server, so what it would send stands here, the newest first.</p>
      <Letters letters={letters} />
    </SiteShell>
  )
}
