import type { Log } from '#server/observability/log.ts'

/** Time limit for a shutdown, not including the drain. */
export const stopTimeoutMs = 15_000

/**
 * Returns a function that runs `stop`, then exits. A second call, or a first one with `isForced`, aborts the signal, which skips the rest of the drain. Exits
 * immediately on timeout.
 */
export function exitAfter(stop: (forceExit: AbortSignal) => Promise<void>, drainSeconds: number, log: Log): (isForced?: boolean) => void {
  const forceExit = new AbortController()
  let forcing: NodeJS.Timeout | null = null
  const limitTo = (timeoutMs: number) => {
    if (forcing) clearTimeout(forcing)
    forcing = setTimeout(() => {
      log.error('The shutdown timed out. Exiting immediately.')
      process.exit(1)
    }, timeoutMs)
  }
  return (isForced = false) => {
    const isFirst = forcing === null
    if (isForced || !isFirst) forceExit.abort()
    limitTo(stopTimeoutMs + (forceExit.signal.aborted ? 0 : drainSeconds * 1_000))
    if (!isFirst) return
    stop(forceExit.signal).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'The shutdown failed.')
        process.exit(1)
      },
    )
  }
}
