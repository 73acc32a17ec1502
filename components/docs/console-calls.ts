import { useRef, useState } from 'react'
import { credits } from '#components/portal/amounts.ts'
import { type ConsoleAnswer, callFromConsole, headerNamed, NoCallError, type OwnKeyCall } from './console-call.ts'

/** An answer, and the mode of the key that asked for it. */
export type ShownAnswer = { readonly answer: ConsoleAnswer; readonly mode: 'live' | 'test' }

/** What is sent. `own` is null for a call on sample data. */
export type Sending = { readonly target: string; readonly mode: 'live' | 'test'; readonly own: OwnKeyCall | null }

/** Why there is no answer. `maxCredits` is what the call has cost at most, where nobody knows whether it was made. */
export type Failure = { readonly message: string; readonly maxCredits: number }

type State = { readonly shown: ShownAnswer | null; readonly isBusy: boolean; readonly said: string; readonly failure: Failure | null }

function wordsOf({ answer, mode }: ShownAnswer): string {
  const cost = mode === 'live' ? `, ${credits(Number(headerNamed(answer, 'x-svc-credits-charged') ?? 0))} charged` : ''
  return `Answered ${answer.status} in ${answer.tookMs} ms${cost}`
}

function failureOf(error: unknown, { mode, own }: Sending): Failure {
  if (error instanceof NoCallError) return { message: error.message, maxCredits: 0 }
  // Offline, or the service is being restarted: there is nothing to show but that.
  const maxCredits = mode === 'live' ? (own?.maxCredits ?? 0) : 0
  return {
    message: maxCredits === 0 ? 'We could not reach the service. Nothing was charged. Send the call again.' : 'We could not reach the service.',
    maxCredits,
  }
}

/** Sends calls and keeps the last answer; what was answered stays while the next call is under way. There is one call at a time: a second press pays for nothing. */
export function useCalls(first: ConsoleAnswer | null) {
  const [state, setState] = useState<State>({ shown: first === null ? null : { answer: first, mode: 'test' }, isBusy: false, said: '', failure: null })
  const isUnderWay = useRef(false)
  const send = async (sending: Sending) => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    setState((before) => ({ ...before, isBusy: true, said: '', failure: null }))
    try {
      const shown = { answer: await callFromConsole(sending.target, sending.own), mode: sending.mode }
      setState({ shown, isBusy: false, said: wordsOf(shown), failure: null })
    } catch (error) {
      setState((before) => ({ ...before, isBusy: false, failure: failureOf(error, sending) }))
    } finally {
      isUnderWay.current = false
    }
  }
  return { ...state, send }
}
