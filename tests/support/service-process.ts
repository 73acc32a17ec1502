import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serviceProgram } from './programs.ts'

export type Mount = 'lean' | 'next'

/** Service in a separate process, started as an operator starts it. */
export type ServiceProcess = {
  /** Base URL of the API, for example `http://127.0.0.1:41234/v1`. */
  readonly api: string
  readonly origin: string
  readonly child: ChildProcess
  /** Returns the log so far, from standard error. */
  readonly log: () => string
  /** Sends SIGTERM and waits for the process to exit. */
  stop: () => Promise<void>
  /** Sends SIGKILL and waits for the process to exit. */
  kill: () => Promise<void>
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const startTimeoutMs = 60_000

export const publicUrl = 'https://api.example.test'

/** Secret for the cookies of the test services. */
export const authSecret = 'a secret of the tests that is long enough'

/** Ports below the kernel's range for outgoing connections, so that such a connection cannot take a free port before the service binds it. */
const settingPorts = { from: 15_000, below: 32_000 }

const listens = (server: Server, port: number) =>
  new Promise<boolean>((resolve) => server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true)))

/** Returns a random port that is free now, for use in settings before the service binds it. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const [server, port] = [createServer(), randomInt(settingPorts.from, settingPorts.below)]
    if (!(await listens(server, port))) continue
    await new Promise<void>((resolve) => server.close(() => resolve()))
    return port
  }
  throw new Error('20 random ports were in use.')
}

/** High, because all tests send their requests from one address. */
export const testPagesPerMinute = '60000'

/** Returns settings for a service that has all roles, puts its real address into links, and sends email to a local port. */
export async function portalSettings(smtpPort: number) {
  const port = await freePort()
  return {
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ROLES: 'gateway,portal,worker',
    PAGES_PER_MINUTE: testPagesPerMinute,
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    MAIL_FROM: 'Savings Rates Data API <no-reply@example.test>',
  }
}

type StartOptions = {
  readonly databaseUrl: string
  readonly mount: Mount
  readonly dataDir: string
  readonly env?: Record<string, string>
  /** Base environment, which `env` and the common test settings override. Defaults to the environment of this process. */
  readonly base?: Record<string, string | undefined>
  readonly onLog?: (chunk: Buffer) => void
  /** Folder of an earlier release to start; defaults to the bundle of this release. */
  readonly home?: string
}

/** Returns the program to start. Releases without a bundle ran from source. */
function getProgram(home: string): string {
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
 * Starts `built/main.js` on a free port. `lean` is the plain listener. `next` has no gateway, so that the Next.js route handler responds to /v1; it needs the
 * build, which `npm test` makes first.
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
    SUPPORT_EMAIL: 'support@example.test',
    // Runs the page process at normal priority. Browsers and other tests keep the CPUs busy, so with the low priority that it has in production, the page
    // process would have to wait for all of them.
    PORTAL_NICENESS: '0',
    ROLES: options.mount === 'lean' ? 'gateway,worker' : 'portal,worker',
    ...options.env,
  }
  const program = options.home === undefined ? serviceProgram : getProgram(options.home)
  const child = spawn(process.execPath, [program], { cwd: options.home ?? root, env, stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  const port = await new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The service did not start:\n${log}`)), startTimeoutMs)
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
