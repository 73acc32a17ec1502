import { useRef, useState } from 'react'
import { credits } from '#components/portal/amounts.ts'
import { readTestKey } from '../test-key.ts'
import type { Values } from './call-target.ts'

/** Response to a call. */
export type CallAnswer = {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  readonly tookMs: number
}

/** Account key to call with, and the maximum cost shown on the button. */
type OwnKeyCall = { readonly keyId: string; readonly maxCredits: number }

/** Thrown if the service did not make the call. The message gives the reason. */
class NoCallError extends Error {
  override name = 'NoCallError'
}

const timeoutMs = 20_000

async function callWithTabKey(target: string, key: string): Promise<CallAnswer> {
  const started = performance.now()
  const response = await fetch(`/v1${target}`, { headers: { Authorization: `Bearer ${key}` }, signal: AbortSignal.timeout(timeoutMs), cache: 'no-store' })
  const body = await response.text()
  return { status: response.status, headers: [...response.headers], body, tookMs: Math.round(performance.now() - started) }
}

const isExplained = (status: number) => status >= 400 && status < 500

async function callThroughSite(target: string, own: OwnKeyCall | null): Promise<CallAnswer> {
  const body = JSON.stringify({ target, ...own })
  const response = await fetch('/console/call', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (isExplained(response.status)) throw new NoCallError(((await response.json()) as { message: string }).message)
  if (!response.ok) throw new Error(`The service returned ${response.status}. Try again in a moment.`)
  return (await response.json()) as CallAnswer
}

/** Makes a call with the chosen account key. Without one, the call reads sample data, with this tab's test key if there is one. */
function makeCall(target: string, own: OwnKeyCall | null): Promise<CallAnswer> {
  const key = own === null ? readTestKey() : null
  return key === null ? callThroughSite(target, own) : callWithTabKey(target, key)
}

/** Returns a response header, or null if it is missing. `name` is lower case. */
export function headerNamed({ headers }: CallAnswer, name: string): string | null {
  return headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? null
}

/** Response, the mode of the key used, and the parameters that were sent. */
export type ShownAnswer = { readonly answer: CallAnswer; readonly mode: 'live' | 'test'; readonly values: Values }

/** Call to send. `own` is the chosen account key; null for sample data. */
type Sending = { readonly target: string; readonly mode: 'live' | 'test'; readonly values: Values; readonly own: OwnKeyCall | null }

/** Failed call. `maxCredits` is its maximum possible charge; 0 if it was definitely not charged. */
export type Failure = { readonly message: string; readonly maxCredits: number }

type State = { readonly shown: ShownAnswer | null; readonly isBusy: boolean; readonly announcement: string; readonly failure: Failure | null }

function announce({ answer, mode }: ShownAnswer): string {
  const cost = mode === 'live' ? `, ${credits(Number(headerNamed(answer, 'x-svc-credits-charged') ?? 0))} charged` : ''
  return `Status ${answer.status} in ${answer.tookMs} ms${cost}`
}

function toFailure(error: unknown, { mode, own }: Sending): Failure {
  if (error instanceof NoCallError) return { message: error.message, maxCredits: 0 }
  // The browser is offline, or the service is restarting.
  const maxCredits = mode === 'live' ? (own?.maxCredits ?? 0) : 0
  return {
    message: maxCredits === 0 ? "We couldn't reach the service. You were not charged. Try again." : "We couldn't reach the service.",
    maxCredits,
  }
}

/** Sends calls and keeps the last response, which stays visible during the next call. Only one call runs at a time, so a double click is not charged twice. */
export function useCalls(first: CallAnswer | null, values: Values) {
  const [state, setState] = useState<State>({
    shown: first === null ? null : { answer: first, mode: 'test', values },
    isBusy: false,
    announcement: '',
    failure: null,
  })
  const isRunning = useRef(false)
  const send = async (sending: Sending): Promise<ShownAnswer | null> => {
    if (isRunning.current) return null
    isRunning.current = true
    setState((before) => ({ ...before, isBusy: true, announcement: '', failure: null }))
    try {
      const shown = { answer: await makeCall(sending.target, sending.own), mode: sending.mode, values: sending.values }
      setState({ shown, isBusy: false, announcement: announce(shown), failure: null })
      return shown
    } catch (error) {
      setState((before) => ({ ...before, isBusy: false, failure: toFailure(error, sending) }))
      return null
    } finally {
      isRunning.current = false
    }
  }
  return { ...state, send }
}
