import { Notice } from '#components/ui/notice.tsx'
import { AuthHeading, type ProviderButton, ProviderButtons } from './sign-in-parts.tsx'

type Props = {
  /** Null if there is no such organisation, or it has no single sign-on. */
  organisation: ProviderButton | null
  error: string | null
  csrfToken: string
}

/** Sign-in page of an organisation. Looks the same for unknown organisations as for those without single sign-on. */
export function OrganisationSignIn({ organisation, error, csrfToken }: Props) {
  return (
    <>
      <AuthHeading title="Sign in with single sign-on" />
      {error === null ? null : (
        <div className="mb-6">
          <Notice tone="danger">{error}</Notice>
        </div>
      )}
      {organisation === null ? (
        <Notice tone="caution">This organisation doesn't use single sign-on. Ask the account owner for the correct link.</Notice>
      ) : (
        <ProviderButtons providers={[organisation]} csrfToken={csrfToken} next="/portal" />
      )}
      <p className="mt-8">
        <a className="prose-link" href="/sign-in">
          Sign in with a password
        </a>
      </p>
    </>
  )
}
