/** Parsed form-encoded request body, in the form that Stripe's SDK sends. Brackets denote objects and arrays, and every value is a string. */
export type Form = { [name: string]: Form | string | (Form | string)[] }

function put(into: Form, path: readonly string[], value: string): void {
  const [name = '', ...rest] = path
  if (rest.length === 0) {
    into[name] = value
    return
  }
  into[name] ??= {}
  put(into[name] as Form, rest, value)
}

/** Converts objects with the keys 0, 1, 2 … to arrays. */
function withLists(form: Form): Form | (Form | string)[] {
  const entries = Object.entries(form).map(([name, value]) => [name, typeof value === 'string' ? value : withLists(value as Form)] as const)
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index))
  return isList ? entries.map(([, value]) => value as Form | string) : (Object.fromEntries(entries) as Form)
}

export function readForm(body: string): Form {
  const form: Form = {}
  for (const [name, value] of new URLSearchParams(body))
    put(
      form,
      name.split(/\[|\]\[|\]/).filter((part) => part !== ''),
      value,
    )
  return withLists(form) as Form
}
