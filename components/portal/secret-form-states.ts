import { type FormState, untouched } from '#components/forms/form-state.ts'

/** State of the two-factor form: the secret during setup, the recovery codes once it is on. Both are only in this one response. */
export type SecondFactorState = FormState & {
  readonly setup: { readonly secret: string; readonly picture: string } | null
  readonly codes: readonly string[] | null
}

export const noFactorYet: SecondFactorState = { ...untouched, setup: null, codes: null }

export type SecondFactorAction = (previous: SecondFactorState, form: FormData) => Promise<SecondFactorState>
