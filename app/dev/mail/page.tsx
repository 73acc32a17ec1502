import type { Metadata } from 'next'
import { Letters } from '#components/portal/letters.tsx'
import { NotFoundWords } from '#components/site/not-found-words.tsx'
import { currentRoom, isCurrentRequestLocal } from '#server/auth/current-request.ts'
import { shownOutbox } from '#server/auth/shown-outbox.ts'
import { missing, missingMetadata } from '#server/pages/missing.tsx'
import { SiteFrame } from '#server/pages/site-frame.tsx'

const letters = async () => shownOutbox(await currentRoom(), await isCurrentRequestLocal())

export async function generateMetadata(): Promise<Metadata> {
  return (await letters()) === null ? missingMetadata : { title: 'Letters', robots: { index: false } }
}

export default async function OutboxPage() {
  const shown = await letters()
  if (shown === null)
    return missing(
      <SiteFrame>
        <NotFoundWords />
      </SiteFrame>,
    )
  return (
    <SiteFrame>
      <h1 className="text-h1 font-semibold tracking-tight">Letters</h1>
      <p className="mt-2 max-w-[68ch] text-ink-2">This service has no mail server, so what it would send stands here, the newest first.</p>
      <Letters letters={shown} />
    </SiteFrame>
  )
}
