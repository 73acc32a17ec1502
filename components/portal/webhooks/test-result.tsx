'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { number } from '../amounts.ts'
import { failureText } from './failure-text.ts'

const everyMs = 1_000

function Result({ tone, children }: { tone: 'waiting' | 'good' | 'danger'; children: ReactNode }) {
  const edges = { waiting: 'border-line-strong', good: 'border-good bg-good-wash', danger: 'border-danger bg-danger-wash' } as const
  return <div className={`rounded-panel border px-4 py-3 text-pretty ${edges[tone]}`}>{children}</div>
}

/** Waits for the first attempt of a test event and shows its result as soon as it arrives. */
export function TestResult({ endpoint, delivery }: { endpoint: string; delivery: string }) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  const { data, isError } = useQuery(
    trpc.webhooks.delivery.queryOptions({ id: delivery }, { refetchInterval: ({ state }) => (state.data?.tries.length ? false : everyMs), staleTime: 0 }),
  )
  const attempt = data?.tries[0]
  const hasArrived = attempt !== undefined
  useEffect(() => {
    if (hasArrived) void client.invalidateQueries(trpc.webhooks.pathFilter())
  }, [hasArrived, client, trpc])
  if (attempt === undefined)
    return (
      <Result tone="waiting">
        <p className="flex items-center gap-3 text-ink-2">
          <span aria-hidden="true" className="size-2 rounded-full bg-caution motion-safe:animate-pulse" />
          {isError ? "We can't check the result right now, but we'll still send the event." : 'Test event sent. Waiting for your server…'}
        </p>
      </Result>
    )
  const link = (
    <a className="prose-link" href={`/portal/webhooks/${endpoint}/deliveries/${delivery}`}>
      View delivery
    </a>
  )
  if (attempt.isDelivered)
    return (
      <Result tone="good">
        <p className="font-medium">
          Delivered. Your server returned {attempt.status} in {number(attempt.totalMs)} ms. {link}
        </p>
      </Result>
    )
  return (
    <Result tone="danger">
      <p className="font-medium">{attempt.status === null ? 'Not delivered.' : `Not delivered. Your server returned ${attempt.status}.`}</p>
      <p>
        {failureText(attempt)} {link}
      </p>
    </Result>
  )
}
