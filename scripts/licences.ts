/** What package-lock.json says of the packages that are installed, and which licences may come in without a word. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the lock file has of a package. Those that belong to development alone are never installed with `--omit=dev`. */
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

/** Licences that ask for no more than to be named, and whose texts come with the packages. */
const allowed = new Set(['MIT', 'MIT-0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'BlueOak-1.0.0', 'CC0-1.0', 'Unlicense', 'PostgreSQL'])

/** Whether an expression of licences is allowed: one of several to choose from, or each of those that hold together. */
export function isAllowed(licence: string): boolean {
  const plain = licence.replace(/[()]/g, '')
  if (/ or /i.test(plain)) return plain.split(/ or /i).some(isAllowed)
  return plain.split(/ and /i).every((one) => allowed.has(one.trim()))
}

/** Every package of the lock file, in the order of their places. */
export function lockedPackages(): Package[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }
  return Object.entries(packages).flatMap(([place, locked]) =>
    place === '' ? [] : [{ ...locked, place, name: place.slice(place.lastIndexOf('node_modules/') + 13), isRuntime: !locked.dev && !locked.devOptional }],
  )
}

/** The licence of a package; `none named` when its package.json has no such field in the form of today. */
export const licenceOf = ({ license }: Package): string => license ?? 'none named'
