import type { Metadata } from 'next'
import { EmailList } from '#components/portal/email-list.tsx'
import { NotFoundContent } from '#components/site/fault-pages.tsx'
import { SiteShell } from '#components/site/site-shell.tsx'
import { setAnswerStatus } from '#server/api/http/portal-answers.ts'
import { currentAuthContext, currentCookie, isCurrentRequestLocal } from '#server/auth/current-request.ts'
import { missing, missingMetadata } from '#server/pages/missing.tsx'
import { shownOutbox } from '#server/self-service/outbox.ts'

const outbox = async () => shownOutbox(await currentAuthContext(), await isCurrentRequestLocal(), (await currentCookie('outbox')) !== null)

export async function generateMetadata(): Promise<Metadata> {
  return (await outbox()) === null ? missingMetadata : { title: 'Emails', robots: { index: false } }
}

export default async function OutboxPage() {
  const shown = await outbox()
  if (shown === null)
    return missing(
      <SiteShell>
        <NotFoundContent />
      </SiteShell>,
    )
  if (shown === 'locked') setAnswerStatus(403)
  return (
    <SiteShell>
      <h1 className="text-h1 font-semibold tracking-tight">Emails</h1>
      {shown === 'locked' ? (
        <p className="mt-2 max-w-[68ch] text-ink-2">
          Open the link to this page that the service printed when it started. It ends in <code>/dev/mail/open?key=…</code> and is needed once per browser.
        </p>
      ) : (
        <>
          <p className="mt-2 max-w-[68ch] text-ink-2">This service has no SMTP server, so emails appear here, newest first.</p>
          <EmailList emails={shown} />
        </>
      )}
    </SiteShell>
  )
}
