type Parameter = { readonly name: string; readonly in: 'path' | 'query' }

/** Returns the path and query of a call. Empty parameters are omitted; a missing path parameter keeps its placeholder, so that the error names it. */
export function consoleTarget({ path, parameters }: { path: string; parameters: readonly Parameter[] }, values: Readonly<Record<string, string>>): string {
  const filled = path.replace(/\{(\w+)\}/g, (braces, name: string) => (values[name] ? encodeURIComponent(values[name]) : braces))
  const given = parameters.filter((parameter) => parameter.in === 'query' && values[parameter.name]).map(({ name }) => [name, values[name] ?? ''])
  const query = new URLSearchParams(given).toString()
  return query === '' ? filled : `${filled}?${query}`
}
