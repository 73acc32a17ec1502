import { type FormState, untouched } from '#components/forms/form-state.ts'

/** A form that makes a secret: it is in its answer, this once, and nowhere else. */
export type SecretFormState = FormState & { readonly made: { readonly id: string; readonly secret: string } | null }

export const noSecretYet: SecretFormState = { ...untouched, made: null }

export type SecretFormAction = (previous: SecretFormState, form: FormData) => Promise<SecretFormState>
