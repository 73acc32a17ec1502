'use server'

import type { FormState } from '#components/forms/form-state.ts'
import { answerForm, nextPath, textOf } from '#server/pages/answer-form.ts'
import { goToProvider } from '#server/pages/go-to-provider.ts'

/** Redirects to an identity provider to sign in. */
export async function startProviderAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, () => goToProvider(textOf(form, 'provider'), nextPath(textOf(form, 'next'))))
}

/** Redirects to an identity provider to re-authenticate a signed-in session. */
export async function confirmAtProviderAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, () => goToProvider(textOf(form, 'provider'), nextPath(textOf(form, 'next')), true))
}
