import type { ReactNode } from 'react'
import { CheckboxField } from '#components/forms/field.tsx'
import { Form, SubmitButton } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'

export type ProviderButton = { readonly id: string; readonly label: string }

/** Sign-in buttons of identity providers. Renders nothing if none is set up. */
export function ProviderButtons({ providers, action, next }: { providers: readonly ProviderButton[]; action: FormAction; next: string }) {
  if (providers.length === 0) return null
  return (
    <section aria-label="Other sign-in options" className="mt-8 border-t border-line pt-6">
      <div className="flex flex-wrap gap-3">
        {providers.map(({ id, label }) => (
          <Form key={id} action={action} name={id}>
            <input type="hidden" name="provider" value={id} />
            <input type="hidden" name="next" value={next} />
            <SubmitButton kind="second">Continue with {label}</SubmitButton>
          </Form>
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

/** Checkbox to accept the Data Licence. Submits the version shown, as a newer one may be published before the form is sent. */
export function LicenceField({ label }: { label: string }) {
  return (
    <>
      <input type="hidden" name="licenceShown" value={label} />
      <CheckboxField name="licence">
        I accept the{' '}
        <a className="prose-link" href={`/licence/${label}`}>
          Data Licence {label}
        </a>
      </CheckboxField>
    </>
  )
}

/** Terms that apply besides the Data Licence. */
export function TermsNote() {
  return (
    <p className="mt-4 text-note text-pretty text-ink-2">
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
