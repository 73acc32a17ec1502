import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { LoadOrder, LoadResult } from './load-types.ts'

const generator = fileURLToPath(new URL('../load.ts', import.meta.url))

/** Runs the load generator in a separate process and waits for its result. @throws with its error output if it fails. */
export async function runLoad(order: LoadOrder, signal: AbortSignal): Promise<LoadResult> {
  // Sent over standard input: it contains keys, and command lines are visible to all users of the machine.
  const child = spawn(process.execPath, [generator], { stdio: ['pipe', 'pipe', 'pipe'], signal })
  // Ignores the error event of an aborted run, because `throwIfAborted` below reports the abort.
  child.once('error', () => undefined)
  child.stdin.end(JSON.stringify(order))
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), new Promise((resolve) => child.once('exit', resolve))])
  signal.throwIfAborted()
  if (code !== 0) throw new Error(`The load generator failed:\n${errors}`)
  return JSON.parse(output) as LoadResult
}
