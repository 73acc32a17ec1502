import cluster from 'node:cluster'
import { databaseAdvice } from '#server/db/database-errors.ts'
import { createLog } from '#server/observability/log.ts'
import { ListenError, listenErrorCode } from '#server/runtime/processes/listener.ts'
import { EnvError, readServiceEnv } from './env.ts'

/** Runs this process: the primary, which may be the only one, or a worker that the primary forked. */
async function main(): Promise<void> {
  const env = readServiceEnv()
  const log = createLog(env.logLevel)
  if (cluster.isWorker) await (await import('#server/runtime/processes/worker-process.ts')).runWorker(env, log)
  else await (await import('#server/runtime/processes/primary.ts')).runPrimary(env, log)
}

const envFault = 'Invalid environment variables:'

/** Reports why the start failed: as a log line, or as plain text on a terminal, where a stack trace would obscure the fix. */
function reportFault(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  if (process.stderr.isTTY) {
    const advice = databaseAdvice(error)
    process.stderr.write(`${error instanceof EnvError ? `${envFault}\n` : ''}${message}\n${advice === null ? '' : `${advice}\n`}`)
  } else if (error instanceof EnvError) createLog('fatal').fatal({ faults: message.split('\n') }, envFault)
  else createLog('fatal').fatal({ err: error }, message)
}

main().catch((error: unknown) => {
  reportFault(error)
  process.exit(cluster.isWorker && error instanceof ListenError ? listenErrorCode : 1)
})
