import { createHash } from 'node:crypto'

/** Derives a stable id from names, so that every build gives the same document. */
export function getId(...names: readonly string[]): string {
  const hex = createHash('sha256').update(names.join('\0')).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}
