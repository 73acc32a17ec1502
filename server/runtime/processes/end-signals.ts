import type { Log } from '#server/observability/log.ts'

/** How long a service may take to end, draining apart. */
export const stopWithinMs = 15_000

/** Has the work done when the process is told to end, and ends it. The second signal aborts what the work was given: whoever sends it does not want to wait. */
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
