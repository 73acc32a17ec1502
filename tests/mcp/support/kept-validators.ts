/**
 * Makes the validator of a schema once, however many clients ask: the clients of a file are given the same schemas by both mounts, and to make a
 * validator of each takes longer than all the calls.
 */
export function keptValidators<Own extends { getValidator: (schema: never) => unknown }>(own: Own): Own {
  const made = new Map<string, unknown>()
  const make = own.getValidator.bind(own)
  const getValidator = (schema: never) => {
    const text = JSON.stringify(schema)
    const validator = made.get(text) ?? make(schema)
    made.set(text, validator)
    return validator
  }
  return Object.assign(own, { getValidator })
}
