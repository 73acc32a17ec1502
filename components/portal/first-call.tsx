'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { credits, took } from './amounts.ts'

const everyMs = 2_000

/** Polls for the first call and shows its result. */
export function FirstCall() {
  const query = useTRPC().account.firstCall.queryOptions(undefined, {
    refetchInterval: ({ state }) => (state.data && state.data.status < 400 ? false : everyMs),
    refetchIntervalInBackground: true,
    staleTime: 0,
  })
  const { data: call = null, isError } = useQuery(query)
  return (
    <div aria-live="polite" className="rounded-panel border border-line px-4 py-3">
      {call === null ? <Waiting isFailed={isError} /> : <Received call={call} />}
    </div>
  )
}

function Waiting({ isFailed }: { isFailed: boolean }) {
  return (
    <p className="flex items-center gap-3 text-ink-2">
      <span aria-hidden="true" className="size-2 rounded-full bg-caution motion-safe:animate-pulse" />
      {isFailed ? "We can't check for your call right now. Your keys and credits are not affected." : 'Waiting for your first call…'}
    </p>
  )
}

type Call = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly error: string | null
  readonly credits: number
  readonly tookMs: number
}

function SeeRequest({ id }: { id: string }) {
  return (
    <a className="prose-link" href={`/portal/requests/${id}`}>
      View request
    </a>
  )
}

function Received({ call }: { call: Call }) {
  const { id, method, path, status, error } = call
  if (error !== null)
    return (
      <>
        <p className="font-semibold text-danger">We received your call, but it failed.</p>
        <p>
          {method} {path}, {status} {error}, not charged.{' '}
          <a className="prose-link" href={`/docs/errors/${error}`}>
            How to fix it
          </a>
          {' · '}
          <SeeRequest id={id} />
        </p>
      </>
    )
  return (
    <>
      <p className="font-semibold text-good">First call received.</p>
      <p>
        {method} {path}, {status}, {took(call.tookMs)}, {credits(call.credits)}. <SeeRequest id={id} />
      </p>
    </>
  )
}

/** Once the page has loaded, reports that the key was shown, so that no other page shows it again. */
export function ShownOnce({ at }: { at: string }) {
  useEffect(() => {
    // If the request fails, the cookie with the key still expires within minutes.
    fetch(at, { method: 'POST', keepalive: true }).catch(() => undefined)
  }, [at])
  return null
}
