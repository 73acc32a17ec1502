/** Builds the client packages for publishing. */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Details of the service that publishes the packages, which files in the repository can't contain. */
export type Publisher = {
  /** Public URL of the service, such as `https://api.example.com`. */
  readonly url: string
  /** URL of the public Git repository. npm compares it with the repository that builds the package, for provenance. */
  readonly repository: string
  /** SPDX identifier of the licence for the packages. */
  readonly licence: string
}

const root = join(import.meta.dirname, '..')
const localUrl = 'http://localhost:3000'

/** @throws Error naming the invalid value */
export function checkPublisher({ url, repository, licence }: Publisher): Publisher {
  for (const address of [url, repository]) {
    if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) throw new Error(`"${address}" is not a URL.`)
  }
  if (!/^[A-Za-z0-9.-]+$/.test(licence)) throw new Error(`"${licence}" is not the SPDX identifier of a licence, such as MIT.`)
  return { url: url.replace(/\/+$/, ''), repository: repository.replace(/\/+$/, ''), licence }
}

/** Replaces the URL of a local service with the public one in all text files of a folder. */
async function setUrl(folder: string, url: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const text = await readFile(file, 'utf8')
    if (text.includes(localUrl)) await writeFile(file, text.replaceAll(localUrl, url))
  }
}

/** Copies the Python client into `out`, ready for `python -m build`, and returns the folder. */
export async function preparePython({ url, repository, licence }: Publisher, out: string): Promise<string> {
  const folder = join(out, 'savings-rates-python')
  await rm(folder, { recursive: true, force: true })
  await cp(join(root, 'client-python'), folder, { recursive: true, filter: (source) => !/[\\/](?:dist|__pycache__|\.mypy_cache)$/.test(source) })
  await setUrl(folder, url)
  const file = join(folder, 'pyproject.toml')
  const project = await readFile(file, 'utf8')
  const links = `\n[project.urls]\nHomepage = "${url}/docs/clients"\nRepository = "${repository}"\nIssues = "${repository}/issues"\n`
  await writeFile(
    file,
    project.replace(/^license = .*$/m, `license = "${licence}"`).replace(/\n\[tool\./, (next) => links + next),
  )
  return folder
}

/** Packs the TypeScript client into `out` and returns the path of the tarball. */
export async function packTypeScript({ url, repository, licence }: Publisher, out: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-pack-'))
  try {
    await cp(join(root, 'client'), folder, { recursive: true, filter: (source) => !/[\\/](?:dist|node_modules)$/.test(source) })
    await setUrl(folder, url)
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    const published = {
      ...manifest,
      license: licence,
      homepage: `${url}/docs/clients`,
      repository: { type: 'git', url: `git+${repository}.git`, directory: 'client' },
      bugs: `${repository}/issues`,
      scripts: undefined,
    }
    await writeFile(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
    await promisify(execFile)(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder, '--typeRoots', join(root, 'node_modules/@types')])
    await mkdir(out, { recursive: true })
    await promisify(execFile)('npm', ['pack', '--ignore-scripts', '--offline', '--pack-destination', out], { cwd: folder })
    return join(out, `${manifest.name}-${manifest.version}.tgz`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
