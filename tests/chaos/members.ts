/** The service as an operator runs it: several processes with different roles, each restarted by a small supervisor when it exits. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { serviceProgram } from '../support/programs.ts'
import { freePort } from '../support/service-process.ts'
import { whenThisProcessIsGone } from './guard.ts'

export const memberNames = ['gateway-1', 'gateway-2', 'portal', 'worker'] as const
export type MemberName = (typeof memberNames)[number]

const roles: Record<MemberName, string> = { 'gateway-1': 'gateway', 'gateway-2': 'gateway', portal: 'portal', worker: 'worker' }

const root = fileURLToPath(new URL('../..', import.meta.url))
const startAgainMs = 250
const startTimeoutMs = 90_000
const goneTimeoutMs = 20_000

/** Supervised process that keeps its address across restarts. */
export class Member {
  readonly name: MemberName
  readonly port: number
  readonly logFile: string
  /** Unexpected exits after the process had become ready. */
  readonly crashes: string[] = []
  starts = 0
  private readonly env: Record<string, string>
  private child: ChildProcess | null = null
  private release: () => void = () => undefined
  private isOrdered = false
  private isClosed = false
  private hasServed = false

  constructor(name: MemberName, port: number, logFolder: string, env: Record<string, string>) {
    this.name = name
    this.port = port
    this.logFile = join(logFolder, `${name}.log`)
    this.env = { ...env, ROLES: roles[name], PORT: String(port) }
    this.run()
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** True if the process serves paid calls. */
  get isApi(): boolean {
    return this.name !== 'worker'
  }

  private run(): void {
    this.starts++
    this.isOrdered = false
    this.hasServed = false
    // The second gateway logs to a pipe that no one reads, the others to a disk that may be full.
    const log = this.name === 'gateway-2' ? null : openSync(this.logFile, 'a')
    const child: ChildProcess = spawn(process.execPath, [serviceProgram], {
      cwd: root,
      env: this.env as NodeJS.ProcessEnv,
      stdio: ['ignore', 'ignore', log ?? 'pipe'],
    })
    if (log !== null) closeSync(log)
    this.child = child
    this.release = whenThisProcessIsGone('kill -9 "$1"', String(child.pid))
    child.once('exit', (code, signal) => this.ended(code, signal))
  }

  private ended(code: number | null, signal: string | null): void {
    this.release()
    // A process that cannot reach the database at startup logs an error and exits. Its supervisor restarts it.
    if (!this.isOrdered && this.hasServed) this.crashes.push(`${this.name} exited unexpectedly with ${code ?? signal}:\n${this.lastLines()}`)
    if (!this.isClosed) setTimeout(() => !this.isClosed && this.run(), startAgainMs)
  }

  /** Marks the process as ready: from now on an unexpected exit is a crash. */
  served(): void {
    this.hasServed = true
  }

  /** Stops the process and waits until it has exited. The supervisor then restarts it. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { child } = this
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    this.isOrdered = true
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    child.kill(signal)
    const forced = setTimeout(() => child.kill('SIGKILL'), goneTimeoutMs)
    await gone
    clearTimeout(forced)
  }

  log(): string {
    try {
      return readFileSync(this.logFile, 'utf8')
    } catch {
      // The log file doesn't exist: the process has logged nothing yet, or logs to a pipe.
      return ''
    }
  }

  private lastLines(): string {
    return this.log().slice(-3_000)
  }

  async close(): Promise<void> {
    this.isClosed = true
    await this.end('SIGTERM')
  }
}

/** All processes of the service. `start` waits until they are ready. */
export class Members implements AsyncDisposable {
  readonly all: readonly Member[]

  private constructor(all: readonly Member[]) {
    this.all = all
  }

  /** @param getEnv returns the environment of a process, given its name and the public URL */
  static async start(logFolder: string, getEnv: (name: MemberName, publicUrl: string) => Record<string, string>): Promise<Members> {
    const ports = await Promise.all(memberNames.map(() => freePort()))
    const publicUrl = `http://127.0.0.1:${ports[memberNames.indexOf('portal')]}`
    const members = new Members(memberNames.map((name, at) => new Member(name, ports[at] ?? 0, logFolder, getEnv(name, publicUrl))))
    try {
      await Promise.all(members.all.map((member) => untilReady(member)))
    } catch (error) {
      await members[Symbol.asyncDispose]()
      throw error
    }
    return members
  }

  /** Returns the origins of the processes that serve the API. */
  get origins(): string[] {
    return this.all.filter(({ isApi }) => isApi).map(({ origin }) => origin)
  }

  named(name: MemberName): Member {
    const found = this.all.find((member) => member.name === name)
    if (!found) throw new Error(`Unknown process ${name}.`)
    return found
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.all.map((member) => member.close()))
  }
}

async function untilReady(member: Member): Promise<void> {
  for (const end = performance.now() + startTimeoutMs; ; await sleep(100)) {
    const answer = await fetch(`${member.origin}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(() => null)
    await answer?.body?.cancel()
    if (answer?.ok) break
    if (performance.now() > end) throw new Error(`${member.name} did not start:\n${member.log().slice(-3_000)}`)
  }
  member.served()
}
