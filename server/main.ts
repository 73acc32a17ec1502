import './processes/young-space.ts'
import cluster from 'node:cluster'
import { EnvError, readEnv } from './env.ts'
import { createLog } from './log.ts'

/** Loads only what this process is: one that does everything alone, the first of several, or one of those that it started. */
async function main(): Promise<void> {
  const env = readEnv()
  const log = createLog(env.logLevel)
  if (cluster.isWorker) await (await import('./processes/child.ts')).runChild(env, log)
  else if (env.gatewayProcesses > 1) await (await import('./processes/supervise.ts')).supervise(env, log)
  else await (await import('./processes/alone.ts')).runAlone(env, log)
}

main().catch((error: unknown) => {
  // Plain lines: whoever starts the service reads them, and a stack would hide what to do.
  process.stderr.write(`${error instanceof EnvError ? 'The environment cannot be used:\n' : ''}${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
