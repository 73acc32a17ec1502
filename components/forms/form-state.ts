import type { FieldFaults } from '#server/api/contract/field-errors.ts'
import type { Proof } from '#server/api/contract/proof.ts'

/** What a form shows again after it was sent: what was wrong, and what was typed. Passwords and codes are never among it. */
export type FormState = {
  /** How often it was sent; each answer is a new one even if it says the same. */
  readonly attempt: number
  readonly faults: FieldFaults
  readonly typed: Readonly<Record<string, readonly string[]>>
  /** What was done, said beside the button. */
  readonly done: string | null
  /** What to confirm one's identity with before the form is accepted; null if nothing is needed. */
  readonly proof: Proof | null
}

export const untouched: FormState = { attempt: 0, faults: {}, typed: {}, done: null, proof: null }

/** An action of a form. */
export type FormAction = (previous: FormState, form: FormData) => Promise<FormState>
