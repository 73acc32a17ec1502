import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { LoadOrder, LoadResult } from './load-types.ts'

const generator = fileURLToPath(new URL('../load.ts', import.meta.url))

/** Puts a load on a server from a process of its own and waits for the result. @throws with what the load generator wrote when it failed. */
export async function runLoad(order: LoadOrder, signal: AbortSignal): Promise<LoadResult> {
  // The order goes over standard input: the keys in it are nobody else's business, and a command line is everybody's.
  const child = spawn(process.execPath, [generator], { stdio: ['pipe', 'pipe', 'pipe'], signal })
  // An interrupted run ends here; the throw below tells.
  child.once('error', () => undefined)
  child.stdin.end(JSON.stringify(order))
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), new Promise((resolve) => child.once('exit', resolve))])
  signal.throwIfAborted()
  if (code !== 0) throw new Error(`The load generator failed:\n${errors}`)
  return JSON.parse(output) as LoadResult
}
