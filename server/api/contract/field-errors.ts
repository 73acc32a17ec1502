/** A sentence for each field that cannot be used as it was filled in, by the field's name; `form` is the form as a whole. */
export type FieldFaults = Readonly<Record<string, string>>

/** What a person typed cannot be used. Each sentence says what to type instead and may be shown as it is. */
export class FieldsError extends Error {
  readonly faults: FieldFaults

  constructor(faults: FieldFaults) {
    super(Object.values(faults).join(' '))
    this.name = 'FieldsError'
    this.faults = faults
  }
}

/** Throws unless there is nothing to say. @throws FieldsError */
export function refuseFaults(faults: Readonly<Record<string, string | null>>): void {
  const found = Object.entries(faults).filter((fault): fault is [string, string] => fault[1] !== null)
  if (found.length > 0) throw new FieldsError(Object.fromEntries(found))
}
