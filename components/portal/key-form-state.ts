import { type FormState, untouched } from '#components/forms/form-state.ts'

/** A form that makes a key: the key is in its answer, this once, and nowhere else. */
export type KeyFormState = FormState & { readonly made: MadeKey | null }

export type MadeKey = {
  readonly id: string
  readonly key: string
  readonly mode: 'test' | 'live'
  readonly scopes: readonly string[]
}

export const noKeyYet: KeyFormState = { ...untouched, made: null }

export type KeyFormAction = (previous: KeyFormState, form: FormData) => Promise<KeyFormState>
