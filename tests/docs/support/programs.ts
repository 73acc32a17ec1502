import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Calls a function with a temporary folder and removes the folder afterwards. */
function inFolder<Result>(use: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'svc-docs-'))
  try {
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Language = { readonly run: string; readonly suffix: string; readonly main: (files: readonly string[]) => string }

/** For each language, a command and a main file that run several programs in one process. */
const languages = {
  ts: { run: process.execPath, suffix: '.mts', main: (files) => files.map((file) => `await import(${JSON.stringify(file)})\n`).join('') },
  python: {
    run: 'python3',
    suffix: '.py',
    main: (files) => `import runpy\nfor file in ${JSON.stringify(files)}:\n    runpy.run_path(file, run_name="__main__")\n`,
  },
  php: { run: 'php', suffix: '.php', main: (files) => `<?php\nforeach (${JSON.stringify(files)} as $file) include $file;\n` },
  ruby: { run: 'ruby', suffix: '.rb', main: (files) => `for file in ${JSON.stringify(files)} do load file end\n` },
} as const satisfies Record<string, Language>

/**
 * Runs programs from the documentation one after another in a separate process and returns their output. @throws Error with the standard error if one fails.
 */
export function runPrograms(language: keyof typeof languages, programs: readonly string[], key: string): string {
  const { run, suffix, main }: Language = languages[language]
  return inFolder((folder) => {
    const write = (name: string, code: string) => {
      const file = join(folder, name + suffix)
      writeFileSync(file, code)
      return file
    }
    const start = write('main', main(programs.map((code, at) => write(`program-${at}`, code))))
    // Connects to the service under test without a proxy.
    const env = { ...process.env, SVC_API_KEY: key, no_proxy: '*' }
    const { status, stdout, stderr } = spawnSync(run, [start], { env, encoding: 'utf8', timeout: 100_000, maxBuffer: 64_000_000 })
    if (status !== 0) throw new Error(stderr)
    return stdout
  })
}

const go = { run: 'go', command: 'run' } as const

/** Runs one Go program, because each is a separate package, and returns its output. @throws Error with the standard error if it fails. */
export function runGoProgram(code: string, key: string): string {
  return inFolder((folder) => {
    const file = join(folder, 'main.go')
    writeFileSync(file, code)
    const env = { ...process.env, SVC_API_KEY: key, NO_PROXY: '*' }
    const { status, stdout, stderr } = spawnSync(go.run, [go.command, file], { env, encoding: 'utf8', timeout: 100_000 })
    if (status !== 0) throw new Error(stderr)
    return stdout
  })
}

/** Programs that the documentation uses, with their version flags. */
const versionFlag = { curl: '--version', python3: '--version', php: '--version', go: 'version', ruby: '--version' }

/**
 * Returns true if a program that the documentation uses is installed. Continuous integration requires every program, so that no example goes unchecked there.
 * @throws Error if one is missing there
 */
export function isInstalled(program: keyof typeof versionFlag): boolean {
  const isFound = spawnSync(program, [versionFlag[program]], { timeout: 20_000 }).status === 0
  if (!isFound && process.env['CI']) {
    throw new Error(`${program} is missing, so its documentation would not be tested. Install it, as .ci/run does, or unset CI.`)
  }
  return isFound
}

/** Shell in a temporary folder, in which commands run as they would for readers. */
export class Shell {
  private readonly folder = mkdtempSync(join(tmpdir(), 'svc-docs-'))
  private readonly env: NodeJS.ProcessEnv

  constructor(key: string) {
    this.env = { ...process.env, SVC_API_KEY: key, no_proxy: '*' }
  }

  /** Returns the standard output of a command. @throws Error with the standard error if it fails. */
  async run(line: string): Promise<string> {
    const { stdout } = await promisify(execFile)('sh', ['-c', line], { cwd: this.folder, env: this.env, timeout: 20_000, maxBuffer: 16_000_000 })
    return stdout
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Imports source code as a module and returns its exports. */
export const getModule = <Exports>(code: string): Promise<Exports> => import(`data:text/javascript,${encodeURIComponent(code)}`) as Promise<Exports>
