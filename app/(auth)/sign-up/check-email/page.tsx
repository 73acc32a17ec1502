import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { ResendForm } from '#components/auth/procedure-forms.tsx'
import { AuthHeading } from '#components/auth/sign-in-parts.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { currentAuthContext, currentCookie, isCurrentRequestLocal } from '#server/auth/current-request.ts'

export const metadata: Metadata = { title: 'Check your email' }

export default async function CheckEmailPage() {
  const pending = await currentCookie('sign-up')
  if (pending === null) redirect('/sign-up')
  const showsOutbox = (await currentAuthContext()).showsOutbox && (await isCurrentRequestLocal())
  return (
    <>
      <AuthHeading title="Check your email">
        <p className="font-medium wrap-anywhere text-ink">{pending.email}</p>
        <p className="mt-2">If this address can be used to sign up, we've sent it a link. The link works once and expires in 30 minutes.</p>
      </AuthHeading>
      <p className="mb-6">
        <ButtonLink kind="primary" href="/reference/rates-list">
          Try the API
        </ButtonLink>
      </p>
      <ResendForm />
      <p className="mt-6 text-ink-2">
        Wrong address?{' '}
        <a className="prose-link" href="/sign-up">
          Start again
        </a>
      </p>
      {showsOutbox ? (
        <p className="mt-6 text-ink-2">
          This service has no mail server. Emails appear at{' '}
          <a className="prose-link" href="/dev/mail">
            /dev/mail
          </a>
          .
        </p>
      ) : null}
    </>
  )
}
