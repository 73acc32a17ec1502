import type { CallOptions } from './call-options.ts'
import type { Outgoing } from './outgoing.ts'
import { type Granted, read } from './reply.ts'
import { pauseBefore } from './retry.ts'
import { SavingsRatesError } from './savings-rates-error.ts'
import { checked, type Settings } from './settings.ts'

/** Makes one attempt. Returns the result or an error; throws only the reason of the caller's signal. */
async function attempt(
  settings: Settings,
  { url, headers }: Outgoing,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Granted | SavingsRatesError> {
  signal?.throwIfAborted()
  const ending = new AbortController()
  const giveUp = () => ending.abort(signal?.reason)
  signal?.addEventListener('abort', giveUp, { once: true })
  let isTimedOut = false
  const timer = setTimeout(() => {
    isTimedOut = true
    ending.abort()
  }, timeoutMs)
  try {
    const response = await settings.fetch(url, { headers, redirect: 'manual', signal: ending.signal })
    // A truncated response is a network error.
    return read({ status: response.status, headers: response.headers, text: await response.text() })
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    if (isTimedOut) return new SavingsRatesError({ code: 'timeout', message: `No response within ${Math.round(timeoutMs)} ms.`, cause })
    return new SavingsRatesError({ code: 'network_error', message: 'The service could not be reached, or the connection was lost.', cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}

/**
 * Sends a call, with retries, until it succeeds or runs out of attempts or time.
 * @throws SavingsRatesError of the last attempt, or the reason of the caller's signal
 */
export async function send(settings: Settings, call: Outgoing, options: CallOptions): Promise<Granted> {
  const timeoutMs = checked.timeoutMs(options.timeoutMs ?? settings.timeoutMs)
  const maxRetries = checked.maxRetries(options.maxRetries ?? settings.maxRetries)
  const endsAt = performance.now() + checked.deadlineMs(options.deadlineMs ?? settings.deadlineMs)
  for (let attempts = 1; ; attempts++) {
    const result = await attempt(settings, call, Math.min(timeoutMs, endsAt - performance.now()), options.signal)
    if (!(result instanceof SavingsRatesError)) return result
    result.attempts = attempts
    result.idempotencyKey = call.idempotencyKey
    const pauseMs = attempts > maxRetries ? null : pauseBefore(result, attempts)
    // If the pause would exceed the deadline, fail at once. The error says how long to wait.
    if (pauseMs === null || performance.now() + pauseMs >= endsAt) throw result
    await settings.wait(pauseMs, options.signal)
  }
}
