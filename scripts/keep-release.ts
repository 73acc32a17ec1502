/**
 * node scripts/keep-release.ts <revision>
 * Keeps what a gateway of that revision is made of in tests/releases/previous.tgz, for the test that runs it beside today's (tests/db/rolling-upgrade.test.ts).
 * Run it when a release is out, with its revision. Packages are not kept: they come from today's node_modules.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const root = join(import.meta.dirname, '..')
const file = join(root, 'tests', 'releases', 'previous.tgz')
const parts = ['package.json', 'server', 'content', 'prisma/migrations', 'prisma/seed']
const mostBytes = 64 * 1024 * 1024

function main(revision: string | undefined): void {
  if (revision === undefined || revision.startsWith('-')) throw new Error('Name the revision, such as: node scripts/keep-release.ts 7ea8012')
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, maxBuffer: mostBytes })
  const commit = git('rev-parse', '--verify', `${revision}^{commit}`).toString().trim()
  const archive = gzipSync(git('archive', '--format=tar', commit, ...parts), { level: 9 })
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, archive)
  console.log(`kept ${commit} in tests/releases/previous.tgz, ${Math.round(archive.length / 1024)} kB`)
}

try {
  main(process.argv[2])
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
