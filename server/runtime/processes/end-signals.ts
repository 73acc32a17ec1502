import type { Log } from '#server/observability/log.ts'

/** Shutdown timeout of a service, not including the drain. */
export const stopTimeoutMs = 15_000

/** Runs `end` on the first signal, then exits. A second signal aborts `forceExit`, which skips the rest of the drain. */
export function onEndSignals(end: (forceExit: AbortSignal) => Promise<void>, log: Log): void {
  const forceExit = new AbortController()
  let isEnding = false
  const onSignal = (signal: NodeJS.Signals) => {
    if (isEnding) return forceExit.abort()
    isEnding = true
    log.info({ signal }, 'Shutting down: completing requests in progress.')
    end(forceExit.signal).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'The shutdown failed.')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}
