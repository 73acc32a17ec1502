/**
 * Installs the packages of package-lock.json with npm 10 and npm 11 from an empty cache, and checks that the lockfile also works without development packages.
 * CI runs it (.ci/run); it needs the registry, about 4 GB of disk and two minutes, so it is not part of `npm test`.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const limitMs = 10 * 60_000
const root = fileURLToPath(new URL('..', import.meta.url))

for (const version of [11, 10]) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-install-'))
  try {
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(root, file), join(folder, file))
    // The dry run checks that the lockfile is complete without development packages.
    for (const omit of [['--omit=dev', '--dry-run'], []]) {
      const since = performance.now()
      const args = ['--yes', `npm@${version}`, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--cache', join(folder, 'cache'), ...omit]
      const { status, error } = spawnSync('npx', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], timeout: limitMs, killSignal: 'SIGKILL' })
      if (status !== 0) throw new Error(`npm ${version} ci ${omit.join(' ')} failed: ${error?.message ?? `exit code ${status}`}`)
      console.log(`npm ${version} ci ${omit.join(' ')}: ${Math.round((performance.now() - since) / 1000)} s`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
