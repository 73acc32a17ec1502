import type { ReactNode } from 'react'
import { CheckboxField, HiddenField } from '#components/forms/field.tsx'
import { Button } from '#components/ui/button.tsx'

export type ProviderButton = {
  readonly id: string
  readonly label: string
  /** Host of an organisation's identity provider. Shown because anyone can set one up. */
  readonly host?: string
}

type ProviderButtonsProps = {
  providers: readonly ProviderButton[]
  csrfToken: string
  /** Page to go to after signing in. */
  next: string
  /** True if the provider must authenticate the user again, even if they are signed in there. */
  isAgain?: boolean
}

/** Returns the OpenID Connect parameter `prompt` that makes a provider authenticate the user again. Google doesn't support `login`. */
const getPrompt = (id: string): string => (id === 'google' ? 'select_account' : 'login')

/** Sign-in buttons of identity providers. Renders nothing if none is set up. */
export function ProviderButtons({ providers, csrfToken, next, isAgain = false }: ProviderButtonsProps) {
  if (providers.length === 0) return null
  return (
    <section aria-label="Other sign-in options" className="mt-6 border-t border-line pt-6">
      <div className="grid gap-3">
        {providers.map(({ id, label, host }) => (
          <form key={id} action={`/api/auth/signin/${id}${isAgain ? `?prompt=${getPrompt(id)}` : ''}`} method="post">
            <input type="hidden" name="csrfToken" value={csrfToken} />
            <input type="hidden" name="callbackUrl" value={next} />
            <Button kind="second" size="wide" type="submit">
              Continue with {label}
            </Button>
            {host === undefined ? null : <p className="mt-2 text-note wrap-anywhere text-ink-2">Opens {host}</p>}
          </form>
        ))}
      </div>
    </section>
  )
}

/** Heading of a sign-up or sign-in page. */
export function AuthHeading({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="mb-6">
      <h1 className="text-h1 font-semibold tracking-tight text-balance">{title}</h1>
      {children === undefined ? null : <div className="mt-2 text-pretty text-ink-2">{children}</div>}
    </div>
  )
}

/** Checkbox to accept the Data Licence. Links to the version that it submits, because a newer one may be published before the form is sent. */
export function LicenceField({ label }: { label: string }) {
  return (
    <>
      <HiddenField name="licenceShown" value={label} />
      <CheckboxField name="licence">
        I accept the{' '}
        <a className="prose-link" href={`/licence/${label}`}>
          Data Licence
        </a>
      </CheckboxField>
    </>
  )
}

/** Note about the terms that apply in addition to the Data Licence. */
export function TermsNote() {
  return (
    <p className="text-note text-pretty text-ink-2">
      The{' '}
      <a className="prose-link" href="/terms">
        terms of use
      </a>{' '}
      apply to your account. The{' '}
      <a className="prose-link" href="/privacy">
        privacy notice
      </a>{' '}
      explains what we store.
    </p>
  )
}
