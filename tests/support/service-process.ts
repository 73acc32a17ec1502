import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serviceProgram } from './programs.ts'

export type Mount = 'lean' | 'next'

/** A service in a process of its own, as an operator starts it. */
export type ServiceProcess = {
  /** Root of the API, for example `http://127.0.0.1:41234/v1`. */
  readonly api: string
  readonly origin: string
  readonly child: ChildProcess
  /** Everything it wrote to standard error so far: its log. */
  readonly log: () => string
  /** SIGTERM, and waits for the end. */
  stop: () => Promise<void>
  /** `kill -9`, and waits for the end. */
  kill: () => Promise<void>
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const startWithinMs = 60_000

export const publicUrl = 'https://api.example.test'

/** What the services of the tests seal their cookies with. */
export const authSecret = 'a secret of the tests that is long enough'

/** A port that is free now, so that somebody can be told of it before it is taken. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Settings of a service in one process, at the address that its own links name, whose mails go to a port of this machine. */
export async function portalSettings(smtpPort: number) {
  const port = await freePort()
  return {
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ROLES: 'gateway,portal,worker',
    // All visitors of all tests come from one address.
    PAGES_PER_MINUTE: '6000',
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    MAIL_FROM: 'Savings Rates API <no-reply@example.test>',
  }
}

type StartOptions = {
  readonly databaseUrl: string
  readonly mount: Mount
  readonly dataDir: string
  readonly env?: Record<string, string>
  /** What `env` and the settings of every test come on top of; the environment of this process unless told otherwise. */
  readonly base?: Record<string, string | undefined>
  readonly onLog?: (chunk: Buffer) => void
  /** The clone of an earlier release, which is started as it was then; this one, from its bundle, unless told otherwise. */
  readonly home?: string
}

/** Releases without a bundle ran their sources. */
function programOf(home: string): string {
  const bundled = join(home, 'built/main.js')
  return existsSync(bundled) ? bundled : join(home, 'server/main.ts')
}

function exited(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once('exit', () => resolve())
  })
}

/**
 * Starts `built/main.js` on a free port. `lean` is the plain listener; `next` leaves the gateway out, so that /v1 is answered by the Next route
 * handler (needs the build, which `npm test` makes first).
 */
export async function startProcess({ base = process.env, ...options }: StartOptions): Promise<ServiceProcess> {
  const env = {
    ...base,
    NODE_ENV: 'production' as const,
    DATABASE_URL: options.databaseUrl,
    DATA_DIR: options.dataDir,
    NEXTAUTH_SECRET: authSecret,
    PUBLIC_URL: publicUrl,
    PORT: '0',
    HOST: '127.0.0.1',
    // Browsers and other tests keep the processors busy; pages would wait for all of them.
    PORTAL_NICENESS: '0',
    ROLES: options.mount === 'lean' ? 'gateway,worker' : 'portal,worker',
    ...options.env,
  }
  const program = options.home === undefined ? serviceProgram : programOf(options.home)
  const child = spawn(process.execPath, [program], { cwd: options.home ?? root, env, stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  const port = await new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The service did not start:\n${log}`)), startWithinMs)
    child.stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString()
      options.onLog?.(chunk)
      const serving = /"port":(\d+).*"Serving\."/.exec(log)
      if (serving) {
        clearTimeout(timer)
        resolve(Number(serving[1]))
      }
    })
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`The service ended with ${code} instead of starting:\n${log}`))
    })
  })
  const origin = `http://127.0.0.1:${port}`
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await exited(child)
  }
  return { api: `${origin}/v1`, origin, child, log: () => log, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }
}
