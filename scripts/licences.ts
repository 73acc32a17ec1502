/** Packages in package-lock.json with their licences, and the licences that need no review. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package's entry in the lockfile. Development packages are not installed with `--omit=dev`. */
type Locked = {
  readonly version: string
  readonly resolved?: string
  readonly integrity?: string
  readonly license?: string
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly optional?: boolean
  readonly hasInstallScript?: boolean
}

export type Package = Locked & { readonly name: string; readonly place: string; readonly isRuntime: boolean }

const root = join(import.meta.dirname, '..')

/** Licences that only require attribution and whose texts are in the packages. */
const allowed = new Set(['MIT', 'MIT-0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'BlueOak-1.0.0', 'CC0-1.0', 'Unlicense', 'PostgreSQL'])

/** Returns true if a licence expression is allowed: at least one alternative of an OR, and every part of an AND. */
export function isAllowed(licence: string): boolean {
  const plain = licence.replace(/[()]/g, '')
  if (/ or /i.test(plain)) return plain.split(/ or /i).some(isAllowed)
  return plain.split(/ and /i).every((one) => allowed.has(one.trim()))
}

/** Returns all packages of the lockfile, in order of their paths. */
export function lockedPackages(): Package[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }
  return Object.entries(packages).flatMap(([place, locked]) =>
    place === '' ? [] : [{ ...locked, place, name: place.slice(place.lastIndexOf('node_modules/') + 13), isRuntime: !locked.dev && !locked.devOptional }],
  )
}

/** Returns the licence of a package; `none named` if its package.json has no current `license` field. */
export const getLicence = ({ license }: Package): string => license ?? 'none named'
