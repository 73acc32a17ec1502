import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Comparison, compare, pack } from './compare-pictures.ts'
import { decodePng } from './png.ts'

const folder = join(import.meta.dirname, '../screenshots')
const fileOf = (name: string) => join(folder, `${name}.png`)
const isWriting = process.env['SVC_WRITE_SCREENSHOTS'] === '1'

let outbox: string | undefined

/** Puts files where they can be looked at, outside of the repository, and gives their places in the order of their names. */
function put(files: Readonly<Record<string, Buffer>>): string[] {
  outbox ??= mkdtempSync(join(tmpdir(), 'svc-look-'))
  const places = Object.entries(files).map(([name, data]) => [join(outbox ?? '', `${name}.png`), data] as const)
  for (const [place, data] of places) writeFileSync(place, data)
  return places.map(([place]) => place)
}

/** How a picture, a PNG, compares with the one of its name that is kept in e2e/screenshots; null when none is. */
export const compareWithKept = (name: string, picture: Buffer): Comparison | null =>
  existsSync(fileOf(name)) ? compare(decodePng(readFileSync(fileOf(name))), decodePng(picture)) : null

/** How a picture differs from the one that is kept, in words, with where to look; null when it does not. With SVC_WRITE_SCREENSHOTS=1 it is kept instead. */
export function pictureFault(name: string, picture: Buffer): string | null {
  const comparison = compareWithKept(name, picture)
  if (comparison?.isSame) return null
  if (isWriting) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(fileOf(name), pack(decodePng(picture)))
    return null
  }
  if (comparison === null) return `${name}: no picture is kept. The new one is ${put({ [name]: picture })[0]}.`
  const [now, marked] = put({ [name]: picture, [`${name}-difference`]: comparison.difference() })
  return `${name}: ${comparison.other} pixels are other than in the picture that is kept. The new one is ${now}; what is other is red in ${marked}.`
}

/** Files in the folder that are none of these pictures. They go when pictures are written. */
export function strangers(names: readonly string[]): string[] {
  const known = new Set(names.map((name) => `${name}.png`))
  const found = existsSync(folder) ? readdirSync(folder).filter((file) => !known.has(file)) : []
  if (!isWriting) return found
  for (const file of found) rmSync(join(folder, file), { recursive: true })
  return []
}
