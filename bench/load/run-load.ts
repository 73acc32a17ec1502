import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { LoadOrder, LoadResult } from './load-types.ts'

const run = promisify(execFile)
const generator = fileURLToPath(new URL('../load.ts', import.meta.url))

/** Puts a load on a server from a process of its own and waits for the result. */
export async function runLoad(order: LoadOrder): Promise<LoadResult> {
  const { stdout } = await run(process.execPath, [generator, JSON.stringify(order)], { maxBuffer: 1_000_000 })
  return JSON.parse(stdout) as LoadResult
}
