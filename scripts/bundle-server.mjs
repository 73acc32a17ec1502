/**
 * Makes built/main.js and built/svc.js of server/main.ts and server/cli/main.ts. Linking hundreds of modules is two fifths of what a start costs; this puts
 * them into a few files. What is loaded when somebody asks for it stays in files of its own. Only setup.mjs and the tests run it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = join(root, 'built')

/**
 * Packages that come in: plain modules, whose classes nothing outside of the bundle has to know. The SDK of tools is one of them for its zod, which is then
 * ours. All others stay where they are: parts of them are native, found by path or patched, or Next's part of the same process shares them.
 */
const taken = ['zod', 'zod-openapi', '@modelcontextprotocol']

const isOutside = (id) => !/^(?:[./#]|[A-Z]:)/.test(id) && !taken.some((name) => id === name || id.startsWith(`${name}/`))

/** A file of ours that asks for its place is told that of its source, wherever its code has come to; by a relative path, for a clone may be moved. */
const placesOfSources = {
  name: 'places-of-sources',
  transform(code, id) {
    if (!code.includes('import.meta') || id.startsWith('\0')) return null
    const source = relative(root, id).split(sep).join('/')
    if (!source.startsWith('server/')) throw new Error(`${source} asks for import.meta: it has to stay outside of the bundle.`)
    const placed = code
      .replaceAll('import.meta.url', `new URL('../${source}', import.meta.url).href`)
      .replaceAll('import.meta.dirname', `(import.meta.dirname + '/../${dirname(source)}')`)
    // Lines stay where they are, so the source map does too.
    return { code: placed, map: null }
  },
}

/** Name and text of each file, those that are started last. */
async function makeFiles() {
  const bundle = await rolldown({
    cwd: root,
    input: { main: join(root, 'server/main.ts'), svc: join(root, 'server/cli/main.ts') },
    platform: 'node',
    external: isOutside,
    // Nothing is left out: what rolldown takes for useless may be there for the error that it throws, such as a decodeURIComponent() whose result nobody reads.
    treeshake: false,
    plugins: [placesOfSources],
  })
  try {
    const names = { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' }
    // Names of classes stand in the log. The maps are read with --enable-source-maps alone.
    const { output } = await bundle.generate({ ...names, format: 'esm', keepNames: true, minify: false, sourcemap: true })
    return output
      .toSorted((a, b) => Number(a.isEntry ?? false) - Number(b.isEntry ?? false))
      .map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source])
  } finally {
    await bundle.close()
  }
}

const listFile = 'files.json'
const readText = (name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '')

/** A process that starts meanwhile finds the file of before or the new one, never half of one. */
function put(name, text) {
  if (readText(name) === text) return
  const coming = join(folder, `${name}.${process.pid}`)
  writeFileSync(coming, text)
  renameSync(coming, join(folder, name))
}

/** Services that were started from the files of before go on loading parts of them, so those stay until the next time. */
function keepTwo(files) {
  const made = files.map(([name]) => name).toSorted()
  const last = JSON.parse(readText(listFile) || '{"made":[],"before":[]}')
  const before = made.join() === last.made.join() ? last.before : last.made
  for (const [name, text] of files) put(name, text)
  put(listFile, `${JSON.stringify({ made, before })}\n`)
  const kept = new Set([...made, ...before, listFile])
  for (const name of readdirSync(folder)) if (/\.js(?:\.map)?$/.test(name) && !kept.has(name)) rmSync(join(folder, name))
}

const files = await makeFiles()
mkdirSync(folder, { recursive: true })
keepTwo(files)
