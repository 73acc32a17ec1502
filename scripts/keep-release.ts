/**
 * node scripts/keep-release.ts <revision> Archives the gateway of that revision in tests/releases/previous.tgz, for the test that runs it next to the current
 * one (tests/db/rolling-upgrade.test.ts). Run it after a release, passing that release's revision. Packages are not archived: the test uses the current
 * node_modules.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const root = join(import.meta.dirname, '..')
const file = join(root, 'tests', 'releases', 'previous.tgz')
const parts = ['package.json', 'server', 'content', 'prisma/migrations', 'prisma/schema', 'prisma/seed', 'prisma.config.ts']
const maxBytes = 64 * 1024 * 1024

function main(revision: string | undefined): void {
  if (revision === undefined || revision.startsWith('-')) throw new Error('Pass a revision, such as: node scripts/keep-release.ts 7ea8012')
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, maxBuffer: maxBytes })
  const commit = git('rev-parse', '--verify', `${revision}^{commit}`).toString().trim()
  const archive = gzipSync(git('archive', '--format=tar', commit, ...parts), { level: 9 })
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, archive)
  console.log(`wrote ${commit} to tests/releases/previous.tgz, ${Math.round(archive.length / 1024)} kB`)
}

try {
  main(process.argv[2])
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
