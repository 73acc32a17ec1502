import { useRef, useState } from 'react'
import { credits } from '#components/portal/amounts.ts'
import { type ConsoleAnswer, callFromConsole, headerNamed, NoCallError, type OwnKeyCall } from './console-call.ts'

/** Response, and the mode of the key used. */
export type ShownAnswer = { readonly answer: ConsoleAnswer; readonly mode: 'live' | 'test' }

/** Call to send. `own` is null for sample data. */
export type Sending = { readonly target: string; readonly mode: 'live' | 'test'; readonly own: OwnKeyCall | null }

/** Failed call. `maxCredits` is the most it can have cost if it is unknown whether it was processed. */
export type Failure = { readonly message: string; readonly maxCredits: number }

type State = { readonly shown: ShownAnswer | null; readonly isBusy: boolean; readonly announcement: string; readonly failure: Failure | null }

function announce({ answer, mode }: ShownAnswer): string {
  const cost = mode === 'live' ? `, ${credits(Number(headerNamed(answer, 'x-svc-credits-charged') ?? 0))} charged` : ''
  return `Status ${answer.status} in ${answer.tookMs} ms${cost}`
}

function toFailure(error: unknown, { mode, own }: Sending): Failure {
  if (error instanceof NoCallError) return { message: error.message, maxCredits: 0 }
  // Offline, or the service is restarting.
  const maxCredits = mode === 'live' ? (own?.maxCredits ?? 0) : 0
  return {
    message: maxCredits === 0 ? "We couldn't reach the service. You were not charged. Try again." : "We couldn't reach the service.",
    maxCredits,
  }
}

/** Sends calls and keeps the last response, which stays visible during the next call. Only one call runs at a time, so a double click is not charged twice. */
export function useCalls(first: ConsoleAnswer | null) {
  const [state, setState] = useState<State>({ shown: first === null ? null : { answer: first, mode: 'test' }, isBusy: false, announcement: '', failure: null })
  const isRunning = useRef(false)
  const send = async (sending: Sending) => {
    if (isRunning.current) return
    isRunning.current = true
    setState((before) => ({ ...before, isBusy: true, announcement: '', failure: null }))
    try {
      const shown = { answer: await callFromConsole(sending.target, sending.own), mode: sending.mode }
      setState({ shown, isBusy: false, announcement: announce(shown), failure: null })
    } catch (error) {
      setState((before) => ({ ...before, isBusy: false, failure: toFailure(error, sending) }))
    } finally {
      isRunning.current = false
    }
  }
  return { ...state, send }
}
