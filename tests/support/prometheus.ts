import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { whenThisProcessIsGone } from '../chaos/guard.ts'
import { freePort } from './service-process.ts'

/** Element of a query result. */
export type Sample = { readonly metric: Readonly<Record<string, string>>; readonly value: readonly [number, string] }

export type Prometheus = AsyncDisposable & {
  /** Evaluates an expression now. @throws Error with the message of Prometheus if the expression is invalid. */
  readonly query: (expression: string) => Promise<readonly Sample[]>
  /** Returns the rules with the result of their last evaluation. */
  readonly rules: () => Promise<readonly { readonly name: string; readonly health: string; readonly lastError?: string; readonly state: string }[]>
}

/**
 * Returns true if Prometheus is installed. It is mandatory in continuous integration.
 * @throws Error if it is missing there
 */
export function isPrometheusInstalled(): boolean {
  const isFound = ['prometheus', 'promtool'].every((program) => spawnSync(program, ['--version'], { timeout: 20_000 }).status === 0)
  if (!isFound && process.env['CI']) throw new Error('prometheus is missing: install the Debian package prometheus, as .ci/run does, or unset CI.')
  return isFound
}

/** Runs promtool with `input` on its standard input. @throws Error with its output if it fails. */
export async function promtool(args: readonly string[], input = ''): Promise<string> {
  const running = promisify(execFile)('promtool', args, { timeout: 30_000, encoding: 'utf8' })
  running.child.stdin?.end(input)
  const { stdout, stderr } = await running.catch((error: Error & { stdout?: string; stderr?: string }) => {
    throw new Error(`promtool ${args.join(' ')} failed:\n${error.stdout}${error.stderr}`)
  })
  return stdout + stderr
}

async function untilReady(child: ChildProcess, origin: string): Promise<void> {
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  for (const end = performance.now() + 30_000; performance.now() < end; await sleep(50)) {
    const answer = await fetch(`${origin}/-/ready`).catch(() => null)
    if (answer?.ok) return
    if (child.exitCode !== null) break
  }
  throw new Error(`Prometheus did not start:\n${said}`)
}

/** Starts Prometheus with this configuration, the text of `prometheus.yml`. */
export async function startPrometheus(configuration: string): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-prometheus-'))
  const file = join(folder, 'prometheus.yml')
  await writeFile(file, configuration)
  await promtool(['check', 'config', file])
  const address = `127.0.0.1:${await freePort()}`
  const args = [`--config.file=${file}`, `--storage.tsdb.path=${join(folder, 'data')}`, `--web.listen-address=${address}`, '--log.level=warn']
  const child = spawn('prometheus', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const release = whenThisProcessIsGone('kill -9 "$1"; sleep 1; rm -rf "$2"', String(child.pid), folder)
  const gone = new Promise((resolve) => child.once('exit', resolve))
  await untilReady(child, `http://${address}`)
  const ask = async (path: string) => {
    const body = (await (await fetch(`http://${address}/api/v1/${path}`)).json()) as { status: string; error?: string; data: never }
    if (body.status !== 'success') throw new Error(`${decodeURIComponent(path)}: ${body.error}`)
    return body.data
  }
  return {
    query: async (expression) => (await ask(`query?query=${encodeURIComponent(expression)}`))['result'],
    rules: async () => ((await ask('rules')) as { groups: { rules: never[] }[] }).groups.flatMap(({ rules }) => rules),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await gone
      release()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
