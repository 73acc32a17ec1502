import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { TestContext } from 'vitest'

/** Folder with the lockfile of the public tools. They are installed separately, because they are larger than the service's own packages. */
const folder = join(import.meta.dirname, '../../compatibility')

export const toolPackages = join(folder, 'node_modules')

/**
 * Returns the body of a test that needs the public tools. Without them, it only warns.
 * @throws Error in CI, because the documents would not be checked there.
 */
export function withTools(body: () => Promise<void>): (context: TestContext) => Promise<void> {
  return async ({ annotate }) => {
    if (existsSync(join(toolPackages, '.package-lock.json'))) return body()
    const message = 'The public tools are not installed: run npm ci --ignore-scripts --prefix compatibility, as .ci/run does.'
    if (process.env['CI']) throw new Error(message)
    await annotate(message, 'warning')
  }
}

/** Loads a package of the public tools. */
export const loadTool = createRequire(join(folder, 'package.json'))

/** Output of a tool that exited with 0. */
type Output = { readonly stdout: string; readonly stderr: string }

/** Runs the script of a tool, or one at an absolute path, in `cwd`. @throws Error with its output if it fails. */
export async function runTool(script: string, args: readonly string[], cwd: string): Promise<Output> {
  // Tools that store settings in the home folder get the temporary one. None of them needs a proxy.
  const env = { ...process.env, HOME: cwd, no_proxy: '*', NO_COLOR: '1', NODE_NO_WARNINGS: '1' }
  try {
    return await promisify(execFile)(process.execPath, [resolve(toolPackages, script), ...args], { cwd, env, timeout: 60_000, maxBuffer: 64_000_000 })
  } catch (error) {
    const { stdout, stderr } = error as Partial<Output>
    throw new Error(`${script} ${args.join(' ')}\n${stdout}${stderr}`, { cause: error })
  }
}
