/** Starts `embedded-user-process.ts` and collects its messages. */
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { hasEnded } from '#server/db/embedded-postmaster.ts'

export type Message = { url?: string; log?: string; error?: string; fault?: string; stopped?: true }

export type User = {
  pid: number
  /** First message that has a URL or an error. */
  outcome: Promise<Message>
  messages: Message[]
  leave: () => Promise<void>
  /** Sends SIGKILL and waits until the process is gone. */
  kill: () => Promise<void>
}

export function startUser(dataDir: string, options: { port?: number; uid?: number } = {}): User {
  const script = fileURLToPath(new URL('./embedded-user-process.ts', import.meta.url))
  const args = [script, dataDir, ...(options.port === undefined ? [] : [String(options.port)])]
  const ids = options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], cwd: '/', ...ids })
  const messages: Message[] = []
  const gone = new Promise<void>((done) => child.once('close', () => done()))
  const outcome = new Promise<Message>((done, fail) => {
    createInterface(child.stdout).on('line', (line) => {
      const message: Message = JSON.parse(line)
      messages.push(message)
      if (message.url !== undefined || message.error !== undefined) done(message)
    })
    void gone.then(() => fail(new Error('the process exited without a message')))
  })
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await gone
  }
  return { pid: child.pid ?? 0, outcome, messages, leave: () => end('SIGTERM'), kill: () => end('SIGKILL') }
}

export async function query<R extends object>(url: string | undefined, text: string): Promise<R[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    return (await client.query<R>(text)).rows
  } finally {
    await client.end()
  }
}

/** Returns the pid in the folder's postmaster.pid, or zero. */
export async function serverPid(dataDir: string): Promise<number> {
  const text = await readFile(join(dataDir, 'pgdata', 'postmaster.pid'), 'utf8').catch(() => '')
  return Number(text.split('\n')[0] ?? 0)
}

export const isRunning = async (pid: number): Promise<boolean> => pid > 0 && !(await hasEnded(pid))
