/**
 * Adds the platform-specific packages that npm omits from package-lock.json if the registry in use doesn't have them. `npm ci` fails if one is missing, even on
 * a platform that does not use it. Run this script after `npm install` if tests/unit/lockfile.test.ts fails with "Missing: … from lock file".
 */
import { readFileSync, writeFileSync } from 'node:fs'

const file = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8'))

/** Resolves a package from another package, the way Node does. Returns its path in the lockfile, or null. */
function placeFrom(from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (lock.packages[place]) return place
    if (folder === '') return null
  }
}

/** Derives `os`, `cpu` and `libc` from a package name in the common format (used by napi-rs, for example): package-android-arm64, package-linux-x64-musl. */
function platform(name) {
  const match = /-(android|darwin|freebsd|linux|openharmony|wasm32|win32)-([a-z0-9]+?)(?:-(gnu|musl|msvc|eabi|gnueabihf|musleabihf))?$/.exec(name)
  if (!match) throw new Error(`Unknown platform in ${name}: add its entry to package-lock.json manually.`)
  const [, os, cpu, abi = ''] = match
  if (os === 'wasm32') return { cpu: ['wasm32'] }
  const libc = os !== 'linux' ? '' : abi.startsWith('musl') ? 'musl' : 'glibc'
  return { cpu: [cpu], ...(libc && { libc: [libc] }), os: [os] }
}

const missing = Object.entries(lock.packages).flatMap(([from, { optionalDependencies = {} }]) =>
  Object.entries(optionalDependencies).flatMap(([name, version]) => (placeFrom(from, name) ? [] : [{ from, name, version }])),
)

for (const { from, name, version } of missing) {
  const { dev, license } = lock.packages[from]
  const { cpu, libc, os } = platform(name)
  // Fields in npm's order. `integrity` is unknown without the package file.
  lock.packages[`node_modules/${name}`] = { version, cpu, ...(dev && { dev }), ...(libc && { libc }), license, optional: true, ...(os && { os }) }
  console.log(`${name}@${version}`)
}

if (missing.length > 0) {
  const [root, ...others] = Object.entries(lock.packages)
  lock.packages = Object.fromEntries([root, ...others.toSorted(([a], [b]) => a.localeCompare(b, 'en'))])
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
}
