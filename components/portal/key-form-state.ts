import { type FormState, untouched } from '#components/forms/form-state.ts'

/** State of a form that creates a key. The key is only in this one response. */
export type KeyFormState = FormState & { readonly made: MadeKey | null }

export type MadeKey = {
  readonly id: string
  readonly key: string
  readonly mode: 'test' | 'live'
  readonly scopes: readonly string[]
}

export const noKeyYet: KeyFormState = { ...untouched, made: null }

export type KeyFormAction = (previous: KeyFormState, form: FormData) => Promise<KeyFormState>
