import { credits, number } from './amounts.ts'

type Request = {
  readonly method: string
  readonly target: string | null
  readonly endpoint: { readonly id: string; readonly name: string }
  readonly headers: Readonly<Record<string, string>> | null
  readonly charge: { readonly units: number; readonly per: 'row' | 'request'; readonly unitCredits: number; readonly freeBy: string | null }
  readonly balanceAfter: number
}

const split = (target: string): { path: string; query: URLSearchParams } => {
  const [path = '', query = ''] = target.split('?', 2)
  return { path, query: new URLSearchParams(query) }
}

/** Decodes a path segment. Malformed percent signs are kept. */
const decode = (segment: string): string => new URLSearchParams(`value=${segment.replaceAll('+', '%2B').replaceAll('&', '%26')}`).get('value') ?? ''

/** Returns the values of the `{name}` segments of a path, or null if the path doesn't match the template. */
function pathValues(template: string, path: string): [name: string, value: string][] | null {
  const [wanted, given] = [template.split('/'), path.split('/')]
  if (wanted.length !== given.length) return null
  const values: [string, string][] = []
  for (const [index, part] of wanted.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    const value = given[index] ?? ''
    if (name === undefined && part !== value) return null
    if (name !== undefined) values.push([name, decode(value)])
  }
  return values
}

/** Returns the URL of the endpoint's reference page with the parameters of a call filled in, or null if the call can't be repeated there. */
export function tryHref({ method, target, endpoint: { id, name } }: Request): string | null {
  if (method !== 'GET' || target === null || target.includes('…') || id === 'unknown') return null
  const { path, query } = split(target)
  const values = pathValues(name.replace(/^GET /, ''), path)
  query.delete('api_key')
  if (values === null) return null
  const parameters = new URLSearchParams([...values, ...query]).toString()
  return `/reference/${id.replaceAll('.', '-')}${parameters === '' ? '' : `?${parameters}`}`
}

/** Explains why a page has fewer rows than requested; null if nothing limited it, or if no more rows were requested. */
export function cutText({ target, headers, charge: { units, per, unitCredits, freeBy }, balanceAfter }: Request): string | null {
  if (per !== 'row' || freeBy !== null || unitCredits === 0) return null
  const limit = target === null ? null : split(target).query.get('limit')
  if (limit !== null && Number(limit) <= units) return null
  const rows = `${number(units)} ${units === 1 ? 'row' : 'rows'}`
  const max = headers?.['x-svc-max-credits']
  if (max !== undefined && (units + 1) * unitCredits > Number(max)) return `Shortened to ${rows} by X-SVC-Max-Credits (${credits(Number(max))}).`
  if (balanceAfter >= 0 && balanceAfter < unitCredits) return `Shortened to ${rows}: your balance didn't cover more.`
  return null
}
