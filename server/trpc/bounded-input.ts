/** Limits on the size of a request body and on its JSON nesting. Portal forms need three or four levels, including those that the transformer adds. */
export const maxBodyBytes = 65_536
/** Administrators send long documents, such as a version of the Data Licence. */
export const maxAdminBodyBytes = 524_288
export const maxDepth = 32

/** Reads a body of up to `maxBytes`. Returns null if it is longer. */
export async function readBounded(body: ReadableStream<Uint8Array> | null, maxBytes = maxBodyBytes): Promise<string | null> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body ?? []) {
    length += part.length
    if (length > maxBytes) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const levels: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 }

/** Returns true if JSON text nests deeper than `maxDepth`. Scans the characters in one pass instead of parsing, because parsers and transformers recurse. */
export function isTooDeep(json: string): boolean {
  let depth = 0
  let isInText = false
  for (let at = 0; at < json.length; at++) {
    const char = json[at] ?? ''
    if (char === '"') isInText = !isInText
    else if (isInText) at += char === '\\' ? 1 : 0
    else depth += levels[char] ?? 0
    if (depth > maxDepth) return true
  }
  return false
}

/** Returns true if any string in a value contains a NUL character. Transformed values can be cyclic, so each object is visited once. */
export function hasNul(value: unknown): boolean {
  const seen = new Set<unknown>([value])
  for (const one of seen) {
    if (typeof one === 'string' && one.includes('\0')) return true
    if (typeof one === 'object' && one !== null) for (const inner of Object.values(one)) seen.add(inner)
  }
  return false
}
