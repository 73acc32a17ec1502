import type { Metadata } from 'next'
import { ConfirmForm } from '#components/auth/confirm-form.tsx'
import { ReplaceLinkForm } from '#components/auth/procedure-forms.tsx'
import { AuthHeading } from '#components/auth/sign-in-parts.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { starterCredits } from '#server/api/contract/access.ts'
import { currentAuthContext, currentCookie } from '#server/auth/current-request.ts'
import { authForm } from '#server/pages/sign-in.ts'
import { readConfirmLink } from '#server/self-service/email-confirmation.ts'
import { currentBearer } from '#server/self-service/sign-up-providers.ts'

export const metadata: Metadata = { title: 'Confirm email', referrer: 'same-origin', robots: { index: false } }

type Props = { params: Promise<{ token?: string[] }>; searchParams: Promise<{ sent?: string; error?: string }> }

export default async function ConfirmPage({ params, searchParams }: Props) {
  const token = (await params).token?.[0] ?? ''
  const { sent, error } = await searchParams
  const next = (await currentCookie('sign-up'))?.next ?? '/portal/welcome'
  const link = token === '' ? null : await readConfirmLink(await currentAuthContext(), token, await currentBearer())
  if (link === null)
    return (
      <>
        <AuthHeading title="Confirm email" />
        {sent === undefined ? (
          <Notice tone="caution">This link has already been used or has expired.</Notice>
        ) : (
          <Notice tone="good">If you still need to confirm your email, we've sent you a new link.</Notice>
        )}
        <div className="mt-6 flex flex-wrap items-center gap-6">
          {token === '' ? null : <ReplaceLinkForm token={token} />}
          <a className="prose-link" href="/sign-in">
            Sign in
          </a>
        </div>
      </>
    )
  return (
    <>
      <AuthHeading title="Confirm email">
        <p className="font-medium wrap-anywhere text-ink">{link.email}</p>
        <p className="mt-2">
          {link.purpose === 'confirm'
            ? `Confirm this address to open your account and get ${starterCredits} credits.`
            : "Confirm this address as your account's new email."}
        </p>
      </AuthHeading>
      <ConfirmForm form={await authForm('confirm', `/confirm/${encodeURIComponent(token)}`, next, error)} token={token} asks={link.asks} />
    </>
  )
}
