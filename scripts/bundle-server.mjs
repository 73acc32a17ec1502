/**
 * Bundles server/main.ts and server/cli/main.ts into built/main.js and built/svc.js, because linking hundreds of modules accounts for 40 % of the startup cost.
 * Lazily loaded code stays in separate files. Only setup.mjs and the tests run this script.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = join(root, 'built')

/**
 * Bundled packages: plain modules whose classes are not shared with code outside the bundle. The MCP SDK is included so that it uses our zod. All other
 * packages stay external: they have native parts, are found by path, are patched, are shared with Next in the same process, or need another version of a
 * dependency than the one at the top of node_modules (negotiator).
 */
const bundledPackages = ['zod', 'zod-openapi', 'csv-parse', 'lru-cache', 'minisearch', '@modelcontextprotocol']

const isOutside = (id) => !/^(?:[./#]|[A-Z]:)/.test(id) && !bundledPackages.some((name) => id === name || id.startsWith(`${name}/`))

/** Makes import.meta refer to the source file instead of the bundle, by a relative path, because a clone may be moved. */
const placesOfSources = {
  name: 'places-of-sources',
  transform(code, id) {
    if (!code.includes('import.meta') || id.startsWith('\0')) return null
    const source = relative(root, id).split(sep).join('/')
    if (!source.startsWith('server/')) throw new Error(`${source} uses import.meta: keep it outside the bundle.`)
    const placed = code
      .replaceAll('import.meta.url', `new URL('../${source}', import.meta.url).href`)
      .replaceAll('import.meta.dirname', `(import.meta.dirname + '/../${dirname(source)}')`)
    // Line numbers do not change, so the source map stays valid.
    return { code: placed, map: null }
  },
}

/** Leaves out zod's messages in other languages, which are a third of its source. */
const englishOnly = {
  name: 'english-only',
  load: (id) => (/\/zod\/v4\/locales\/index\.js$/.test(id) ? "export { default as en } from './en.js'" : null),
}

/** Returns the name and text of each file, entry files last. */
async function makeFiles() {
  const bundle = await rolldown({
    cwd: root,
    input: { main: join(root, 'server/main.ts'), svc: join(root, 'server/cli/main.ts') },
    platform: 'node',
    external: isOutside,
    // rolldown would remove calls that are only made for their exception, such as decodeURIComponent() with an unused result.
    treeshake: false,
    plugins: [placesOfSources, englishOnly],
  })
  try {
    const names = { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' }
    // Small modules that almost every other one imports share a file.
    const codeSplitting = { groups: [{ name: 'contract', includeDependenciesRecursively: false, test: /\/server\/api\/contract\// }] }
    // Class names are kept for the log. Node reads source maps only with --enable-source-maps.
    const { output } = await bundle.generate({ ...names, codeSplitting, format: 'esm', keepNames: true, minify: false, sourcemap: true })
    return output
      .toSorted((a, b) => Number(a.isEntry ?? false) - Number(b.isEntry ?? false))
      .map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source])
  } finally {
    await bundle.close()
  }
}

const listFile = 'files.json'
const readText = (name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '')

/** Replaces a file atomically, so that a process starting at that moment finds either the old file or the new one. */
function writeAtomically(name, text) {
  if (readText(name) === text) return
  const coming = join(folder, `${name}.${process.pid}`)
  writeFileSync(coming, text)
  renameSync(coming, join(folder, name))
}

/** Writes the new files and keeps the previous ones until the next bundle, because running services still load parts of them. */
function writeBundle(files) {
  const made = files.map(([name]) => name).toSorted()
  const last = JSON.parse(readText(listFile) || '{"made":[],"before":[]}')
  const before = made.join() === last.made.join() ? last.before : last.made
  for (const [name, text] of files) writeAtomically(name, text)
  writeAtomically(listFile, `${JSON.stringify({ made, before })}\n`)
  const kept = new Set([...made, ...before, listFile])
  for (const name of readdirSync(folder)) if (/\.js(?:\.map)?$/.test(name) && !kept.has(name)) rmSync(join(folder, name))
}

const files = await makeFiles()
mkdirSync(folder, { recursive: true })
writeBundle(files)
