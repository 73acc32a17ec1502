import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { AuthHeading, ProviderButtons } from '#components/auth/sign-in-parts.tsx'
import { currentAuthContext, currentCookie, currentCsrfToken } from '#server/auth/current-request.ts'
import { offeredProviders } from '#server/auth/providers.ts'
import { findOrganisation, toButton } from '#server/self-service/single-sign-on/organisations.ts'

export const metadata: Metadata = { title: 'Connect account', robots: { index: false } }

type Props = { searchParams: Promise<{ provider?: string }> }

/** Sends the user to an identity provider to connect it to their account. The user has just re-authenticated. */
export default async function ConnectPage({ searchParams }: Props) {
  const { provider } = await searchParams
  const deps = await currentAuthContext()
  const organisation = await findOrganisation(deps.pool, provider ?? '')
  const chosen = offeredProviders(deps).find(({ id }) => id === provider) ?? organisation ?? undefined
  if (chosen === undefined || (await currentCookie('connect'))?.provider !== chosen.id) redirect('/portal/settings/security#providers')
  return (
    <>
      <AuthHeading title={`Connect ${chosen.label}`}>Sign in with {chosen.label} to connect it to your account.</AuthHeading>
      <ProviderButtons
        providers={[organisation === null ? { id: chosen.id, label: chosen.label } : toButton(organisation)]}
        csrfToken={await currentCsrfToken()}
        next="/portal/settings/security"
      />
      <p className="mt-8">
        <a className="prose-link" href="/portal/settings/security#providers">
          Cancel
        </a>
      </p>
    </>
  )
}
