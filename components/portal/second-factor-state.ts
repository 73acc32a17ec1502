import { type FormState, untouched } from '#components/forms/form-state.ts'

/** The second factor on its way: the secret while it is set up, the recovery codes once it is. Both are in an answer, this once. */
export type SecondFactorState = FormState & {
  readonly setup: { readonly secret: string; readonly picture: string } | null
  readonly codes: readonly string[] | null
}

export const noFactorYet: SecondFactorState = { ...untouched, setup: null, codes: null }

export type SecondFactorAction = (previous: SecondFactorState, form: FormData) => Promise<SecondFactorState>
