import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Comparison, compare, pack } from './compare-pictures.ts'
import { decodePng } from './png.ts'

const folder = join(import.meta.dirname, '../screenshots')
const toFile = (name: string) => join(folder, `${name}.png`)
const isWriting = process.env['SVC_WRITE_SCREENSHOTS'] === '1'

let outbox: string | undefined

/** Writes files to a temporary folder outside the repository and returns their paths in order. */
function writeTemporary(files: Readonly<Record<string, Buffer>>): string[] {
  outbox ??= mkdtempSync(join(tmpdir(), 'svc-look-'))
  const places = Object.entries(files).map(([name, data]) => [join(outbox ?? '', `${name}.png`), data] as const)
  for (const [place, data] of places) writeFileSync(place, data)
  return places.map(([place]) => place)
}

/** Compares a PNG with the stored one of that name in e2e/screenshots; null if there is none. */
export const compareWithKept = (name: string, picture: Buffer): Comparison | null =>
  existsSync(toFile(name)) ? compare(decodePng(readFileSync(toFile(name))), decodePng(picture)) : null

/** Describes how a picture differs from the stored one and where to see it; null if it doesn't. With SVC_WRITE_SCREENSHOTS=1 the stored one is replaced. */
export function describeDifference(name: string, picture: Buffer): string | null {
  const comparison = compareWithKept(name, picture)
  if (comparison?.isSame) return null
  if (isWriting) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(toFile(name), pack(decodePng(picture)))
    return null
  }
  if (comparison === null) return `${name}: no stored picture. The new one is ${writeTemporary({ [name]: picture })[0]}.`
  const [now, marked] = writeTemporary({ [name]: picture, [`${name}-difference`]: comparison.difference() })
  return `${name}: ${comparison.other} pixels differ from the stored picture. The new one is ${now}; differences are red in ${marked}.`
}

/** Returns stored files that match none of these names. If SVC_WRITE_SCREENSHOTS is set, deletes these files instead. */
export function unusedPictures(names: readonly string[]): string[] {
  const known = new Set(names.map((name) => `${name}.png`))
  const found = existsSync(folder) ? readdirSync(folder).filter((file) => !known.has(file)) : []
  if (!isWriting) return found
  for (const file of found) rmSync(join(folder, file), { recursive: true })
  return []
}
