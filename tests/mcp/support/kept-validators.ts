/**
 * Caches validators by schema. Both mounts return the same schemas to all clients in a file, and compiling schemas takes longer than all the calls.
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
