import { type FormState, untouched } from '#components/forms/form-state.ts'

/** State of a form that creates a secret. The secret is only in this one response. */
export type SecretFormState = FormState & { readonly made: { readonly id: string; readonly secret: string } | null }

export const noSecretYet: SecretFormState = { ...untouched, made: null }

export type SecretFormAction = (previous: SecretFormState, form: FormData) => Promise<SecretFormState>
