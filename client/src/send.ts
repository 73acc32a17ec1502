import type { CallOptions } from './call-options.ts'
import type { Outgoing } from './outgoing.ts'
import { type Granted, read } from './reply.ts'
import { pauseBefore } from './retry.ts'
import { SavingsRatesError } from './savings-rates-error.ts'
import { checked, type Settings } from './settings.ts'

/** One attempt: what it was granted, or why there is nothing that is worth anything. Throws only what the caller's own signal says. */
async function attempt(
  settings: Settings,
  { url, headers }: Outgoing,
  withinMs: number,
  signal: AbortSignal | undefined,
): Promise<Granted | SavingsRatesError> {
  signal?.throwIfAborted()
  const ending = new AbortController()
  const giveUp = () => ending.abort(signal?.reason)
  signal?.addEventListener('abort', giveUp, { once: true })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    ending.abort()
  }, withinMs)
  try {
    const response = await settings.fetch(url, { headers, redirect: 'manual', signal: ending.signal })
    // An answer that breaks off in the middle is none.
    return read({ status: response.status, headers: response.headers, text: await response.text() })
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    if (isLate) return new SavingsRatesError({ code: 'timeout', message: `There was no answer within ${Math.round(withinMs)} ms.`, cause })
    return new SavingsRatesError({ code: 'network_error', message: 'The service could not be reached, or the connection broke off.', cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}

/**
 * Sends a call, again where that can help, until it is answered or its attempts or its time are used up.
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
    // A pause that would end behind the deadline is not begun: the caller is told at once how long it would be.
    if (pauseMs === null || performance.now() + pauseMs >= endsAt) throw result
    await settings.wait(pauseMs, options.signal)
  }
}
