import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'

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
