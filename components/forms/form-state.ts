import type { FieldFaults, Proof } from '#server/api/contract/field-errors.ts'

/** State of a form after a submission: errors and typed values. Passwords and codes are never included. */
export type FormState = {
  /** Number of submissions; distinguishes responses with the same errors. */
  readonly attempt: number
  readonly faults: FieldFaults
  readonly typed: Readonly<Record<string, readonly string[]>>
  /** Success message, shown next to the button. */
  readonly done: string | null
  /** Proof of identity required before the form is accepted; null if none is required. */
  readonly proof: Proof | null
  /** True while a submission is pending. */
  readonly isPending?: boolean
}

export const untouched: FormState = { attempt: 0, faults: {}, typed: {}, done: null, proof: null }

/** Error of a form whose submission got no response. */
export const unreachable = 'The service could not be reached. Check your connection and try again.'
