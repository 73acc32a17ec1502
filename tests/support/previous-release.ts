import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Unpacks the previous release, as archived by `scripts/keep-release.ts`, and links the current packages into it. */
export async function unpackPreviousRelease(): Promise<
  AsyncDisposable & { home: string; runModule: (source: string, ...values: string[]) => Promise<string> }
> {
  const home = await mkdtemp(join(tmpdir(), 'svc-previous-'))
  await run('tar', ['-xzf', join(root, 'tests/releases/previous.tgz'), '-C', home])
  await symlink(join(root, 'node_modules'), join(home, 'node_modules'))
  // Generates Prisma's client, which isn't under version control.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: join(root, 'package.json'), CHECKPOINT_DISABLE: '1' }
  await run(process.execPath, [join(root, 'node_modules/prisma/build/index.js'), 'generate', '--no-hints'], { cwd: home, env, timeout: 60_000 })
  return {
    home,
    /** Runs a module as if it were in the root of the previous release. Returns its standard output. */
    runModule: async (source, ...values) =>
      (await run(process.execPath, ['--input-type=module', '-e', source, ...values], { cwd: home, timeout: 60_000 })).stdout,
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  }
}
