/** Validation messages by field name; `form` is for the form as a whole. */
export type FieldFaults = Readonly<Record<string, string>>

/** Validation error of a form. Each message says what to enter instead and can be shown to the user. */
export class FieldsError extends Error {
  readonly faults: FieldFaults

  constructor(faults: FieldFaults) {
    super(Object.values(faults).join(' '))
    this.name = 'FieldsError'
    this.faults = faults
  }
}

/** @throws FieldsError if any of the messages is not null. */
export function refuseFaults(faults: Readonly<Record<string, string | null>>): void {
  const found = Object.entries(faults).filter((fault): fault is [string, string] => fault[1] !== null)
  if (found.length > 0) throw new FieldsError(Object.fromEntries(found))
}

/** Method of re-authentication: password, second-factor code, or sign-in at the identity provider. */
export type Proof = 'password' | 'code' | 'provider'
