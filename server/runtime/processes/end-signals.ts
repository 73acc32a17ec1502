import type { Log } from '#server/observability/log.ts'

/** Shutdown timeout of a service, not including the drain. */
export const stopWithinMs = 15_000

/** Runs `end` on the first signal, then exits. A second signal aborts `hurry`: its sender does not want to wait. */
export function onEndSignals(end: (hurry: AbortSignal) => Promise<void>, log: Log): void {
  const hurry = new AbortController()
  let isEnding = false
  const onSignal = (signal: NodeJS.Signals) => {
    if (isEnding) return hurry.abort()
    isEnding = true
    log.info({ signal }, 'Told to end: finishing what is under way.')
    end(hurry.signal).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'Stopping failed.')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}
