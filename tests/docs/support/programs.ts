import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Does something in a folder of its own, which is gone afterwards. */
function inFolder<Result>(use: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'svc-docs-'))
  try {
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Language = { readonly run: string; readonly suffix: string; readonly main: (files: readonly string[]) => string }

/** How programs of a language run one after another in one process. */
const languages = {
  ts: { run: process.execPath, suffix: '.mts', main: (files) => files.map((file) => `await import(${JSON.stringify(file)})\n`).join('') },
  python: {
    run: 'python3',
    suffix: '.py',
    main: (files) => `import runpy\nfor file in ${JSON.stringify(files)}:\n    runpy.run_path(file, run_name="__main__")\n`,
  },
} as const satisfies Record<string, Language>

/** Runs programs of the documentation one after another in one process of their own, and gives what they wrote. @throws Error with what they complained of. */
export function runPrograms(language: keyof typeof languages, programs: readonly string[], key: string): string {
  const { run, suffix, main }: Language = languages[language]
  return inFolder((folder) => {
    const write = (name: string, code: string) => {
      const file = join(folder, name + suffix)
      writeFileSync(file, code)
      return file
    }
    const start = write('main', main(programs.map((code, at) => write(`program-${at}`, code))))
    // No proxy stands between these programs and the service under test.
    const env = { ...process.env, SVC_API_KEY: key, no_proxy: '*' }
    const { status, stdout, stderr } = spawnSync(run, [start], { env, encoding: 'utf8', timeout: 100_000, maxBuffer: 64_000_000 })
    if (status !== 0) throw new Error(stderr)
    return stdout
  })
}

/** Programs that the documentation is written for, each with what makes it tell its version. */
const versionFlag = { curl: '--version', python3: '--version', php: '--version', go: 'version' }

/**
 * Whether this machine has a program that the documentation is written for. Continuous integration has to have it: nothing may go unchecked there.
 * @throws Error when it is missing there
 */
export function isInstalled(program: keyof typeof versionFlag): boolean {
  const isFound = spawnSync(program, [versionFlag[program]], { timeout: 20_000 }).status === 0
  if (!isFound && process.env['CI']) {
    throw new Error(`${program} is missing, so what the documentation says to it would not be checked. Install it, as .ci/run does, or unset CI.`)
  }
  return isFound
}

/** A shell as a reader has it, in a folder of its own. */
export class Shell {
  private readonly folder = mkdtempSync(join(tmpdir(), 'svc-docs-'))
  private readonly env: NodeJS.ProcessEnv

  constructor(key: string) {
    this.env = { ...process.env, SVC_API_KEY: key, no_proxy: '*' }
  }

  /** What a line writes to standard output. @throws Error with what it complained of when it fails. */
  async run(line: string): Promise<string> {
    const { stdout } = await promisify(execFile)('sh', ['-c', line], { cwd: this.folder, env: this.env, timeout: 20_000, maxBuffer: 16_000_000 })
    return stdout
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Makes a module of a text and gives what it exports. */
export const getModule = <Exports>(code: string): Promise<Exports> => import(`data:text/javascript,${encodeURIComponent(code)}`) as Promise<Exports>
