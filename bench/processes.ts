import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { startProcess } from '../tests/support/service-process.ts'
import type { BenchDatabase } from './database.ts'

/** A server under test. */
export type Running = { readonly port: number; readonly pids: readonly number[]; stop: () => Promise<void> }

const startTimeoutMs = 60_000

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once('exit', () => resolve())
  })
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  await ended(child)
}

/** Returns the port that a rival prints once it is listening. */
function announced(child: ChildProcess, file: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${file} did not start within ${startTimeoutMs / 1000} s.`)), startTimeoutMs)
    child.once('exit', (code) => reject(new Error(`${file} exited with ${code} before listening.`)))
    if (!child.stdout) return
    createInterface({ input: child.stdout }).on('line', (line) => {
      const port = /^\{"port":(\d+)\}$/.exec(line)?.[1]
      if (port === undefined) return
      clearTimeout(timer)
      resolve(Number(port))
    })
  })
}

/** Runs a script from bench/rivals in a separate process. */
export async function startRival(file: string, env: Record<string, string>): Promise<Running> {
  const path = fileURLToPath(new URL(`rivals/${file}`, import.meta.url))
  const child = spawn(process.execPath, [path], { env: { ...process.env, NODE_ENV: 'production', ...env }, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  const port = await announced(child, file)
  return { port, pids: [child.pid ?? 0], stop: () => end(child) }
}

/** Starts the service as an operator would. */
export async function startOurs({ url, dataDir }: Pick<BenchDatabase, 'url' | 'dataDir'>, roles: 'gateway' | 'portal'): Promise<Running> {
  const mount = roles === 'portal' ? 'next' : 'lean'
  const { origin, child, stop } = await startProcess({ databaseUrl: url, dataDir, mount, env: { ROLES: roles, PORTAL_NICENESS: '10', PAGES_PER_MINUTE: '0' } })
  return { port: Number(new URL(origin).port), pids: [child.pid ?? 0], stop }
}
