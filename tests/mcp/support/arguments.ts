import { type Entry, getParameters } from '../../v1/support/target.ts'

const readAs: Record<string, (text: string) => unknown> = { integer: Number, number: Number, boolean: (text) => text === 'true' }

/** Converts a request target to tool arguments of the documented types. */
export function getArguments(entry: Entry, target: string): Record<string, unknown> {
  const [path = '', query = ''] = target.split('?')
  const parts = path.split('/')
  const inPath = entry.path.split('/').flatMap((name, at) => (name.startsWith('{') ? [[name.slice(1, -1), decodeURIComponent(parts[at] ?? '')] as const] : []))
  const typed = getParameters(entry).map(({ name, documented }) => [name, readAs[String(documented['type'])]] as const)
  const types = new Map(typed)
  return Object.fromEntries([...inPath, ...[...new URLSearchParams(query)].map(([name, text]) => [name, types.get(name)?.(text) ?? text] as const)])
}
