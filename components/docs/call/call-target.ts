type Parameter = { readonly name: string; readonly in: 'path' | 'query' }

export type Values = Readonly<Record<string, string>>

/** Encodes a path segment. Also escapes what `encodeURIComponent` leaves alone, because the result is put between quotes in code. */
const encode = (text: string) => encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** Returns the path and query of a call. Empty parameters are omitted; a missing path parameter keeps its placeholder, so that the error names it. */
export function callTarget({ path, parameters }: { path: string; parameters: readonly Parameter[] }, values: Values): string {
  const filled = path.replace(/\{(\w+)\}/g, (braces, name: string) => (values[name] ? encode(values[name]) : braces))
  const given = parameters.filter((parameter) => parameter.in === 'query' && values[parameter.name]).map(({ name }) => [name, values[name] ?? ''])
  const query = new URLSearchParams(given).toString()
  return query === '' ? filled : `${filled}?${query}`
}

/** Placeholder for the target in the code samples that the server highlights. The browser replaces it with the target of the form. */
export const targetMark = '/TARGET'
