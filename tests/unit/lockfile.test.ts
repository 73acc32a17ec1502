import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** Compares package.json with the lockfile, which needs no registry. `scripts/check-install.mjs` also installs the packages with npm 10 and 11. */
test.each([[[]], [['--omit=dev']]])('npm ci %j accepts the lockfile', async (options) => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-lockfile-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const file of ['package.json', 'package-lock.json']) await cp(join(root, file), join(folder, file))
  const { stdout } = await run('npm', ['ci', '--dry-run', '--offline', '--ignore-scripts', ...options], { cwd: folder, timeout: 50_000 })
  expect(stdout).toMatch(/added \d{3,} packages/)
})
