'use server'

import type { FormState } from '#components/forms/form-state.ts'
import { answerForm, getText, nextPath } from '#server/pages/answer-form.ts'
import { goToProvider } from '#server/pages/sign-in.ts'

/** Redirects to an identity provider to sign in. */
export async function startProviderAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, () => goToProvider(getText(form, 'provider'), nextPath(getText(form, 'next'))))
}

/** Redirects to an identity provider to re-authenticate a signed-in session. */
export async function confirmAtProviderAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, () => goToProvider(getText(form, 'provider'), nextPath(getText(form, 'next')), true))
}
