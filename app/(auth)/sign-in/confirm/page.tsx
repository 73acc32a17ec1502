import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { ReauthenticationForm } from '#components/auth/reauthentication-form.tsx'
import { AuthHeading, ProviderButtons } from '#components/auth/sign-in-parts.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { auth } from '#server/auth/auth.ts'
import { currentAuthContext, currentCsrfToken } from '#server/auth/current-request.ts'
import { offeredProviders } from '#server/auth/providers.ts'
import { proofFor } from '#server/auth/reauthentication.ts'
import { sitePath } from '#server/auth/same-origin.ts'
import { findOwnOrganisations, toButton } from '#server/self-service/single-sign-on/organisations.ts'

export const metadata: Metadata = { title: "Confirm it's you", robots: { index: false } }

type Props = { searchParams: Promise<{ next?: string; done?: string }> }

/** Re-authentication page, used for the admin area and by accounts that sign in through an identity provider. */
export default async function ConfirmIdentityPage({ searchParams }: Props) {
  const viewer = await auth()
  if (viewer === null) redirect('/sign-in')
  const asked = await searchParams
  if (asked.done !== undefined && viewer.isRecent)
    return (
      <>
        <AuthHeading title="Confirm it's you" />
        <Notice tone="good">Confirmed. Close this tab and continue where you left off.</Notice>
      </>
    )
  const proof = proofFor(viewer)
  const deps = await currentAuthContext()
  const own =
    viewer.limitedTo === null ? [] : (await findOwnOrganisations(deps.pool, viewer.accountId)).filter(({ accountId }) => accountId === viewer.limitedTo)
  const providers = viewer.limitedTo === null ? offeredProviders(deps).map(({ id, label }) => ({ id, label })) : own.map(toButton)
  return (
    <>
      <AuthHeading title="Confirm it's you">{viewer.email}</AuthHeading>
      {proof === 'provider' ? (
        <ProviderButtons providers={providers} csrfToken={await currentCsrfToken()} next="/sign-in/confirm?done=1" isAgain />
      ) : (
        <ReauthenticationForm proof={proof} next={sitePath(asked.next)} />
      )}
    </>
  )
}
