import { memo } from 'react'
import { JsonBlock } from '#components/data/json-block.tsx'
import { credits, number } from '#components/portal/amounts.ts'
import { Chevron } from '#components/ui/chevron.tsx'
import { Tag } from '#components/ui/tag.tsx'
import type { Failure, ShownAnswer } from './console-calls.ts'
import { type ConsoleAnswer, headerNamed } from './console-calls.ts'

function json(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // Not JSON: show it as text.
    return body
  }
}

function Facts({ answer, mode }: ShownAnswer) {
  const { status, tookMs } = answer
  const tone = status < 300 ? 'good' : status < 500 ? 'caution' : 'danger'
  const balance = mode === 'live' ? headerNamed(answer, 'x-svc-credits-balance') : null
  return (
    <p
      className={`flex flex-wrap items-center gap-x-4 gap-y-1 border-b px-3 py-2.5 text-note ${mode === 'live' ? 'border-line' : 'border-dashed border-test'}`}
    >
      {mode === 'live' ? <Tag tone="good">Live</Tag> : <Tag tone="test">Test</Tag>}
      <span>
        Status <Tag tone={tone}>{status}</Tag>
      </span>
      <span>
        Time <span className="font-mono">{tookMs} ms</span>
      </span>
      <span>
        Cost <span className="font-mono">{credits(Number(headerNamed(answer, 'x-svc-credits-charged') ?? 0))}</span>
      </span>
      {balance === null ? null : (
        <span>
          Balance <span className="font-mono">{number(Number(balance))}</span>
        </span>
      )}
    </p>
  )
}

function Headers({ answer }: { answer: ConsoleAnswer }) {
  return (
    <details className="group border-b border-line">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 px-3 text-note text-ink-2 [&::-webkit-details-marker]:hidden">
        <Chevron />
        {answer.headers.length} headers
      </summary>
      <dl className="grid gap-x-4 px-3 pb-3 font-mono text-note sm:grid-cols-[auto_1fr]">
        {answer.headers.map(([name, value]) => (
          <div key={`${name} ${value}`} className="contents">
            <dt className="text-ink-3 max-sm:mt-1">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** Error message if the last call got no response. */
export function ConsoleFailure({ failure }: { failure: Failure | null }) {
  if (failure === null) return null
  const { message, maxCredits } = failure
  return (
    <p role="alert" className="mb-4 rounded-panel border border-danger bg-danger-wash px-4 py-3 text-danger">
      {message}
      {maxCredits === 0 ? null : (
        <>
          {' '}
          If the call was processed, it cost at most {credits(maxCredits)}.{' '}
          <a className="underline underline-offset-4" href="/portal/requests">
            View requests
          </a>
        </>
      )}
    </p>
  )
}

/** Response: status, time, cost, headers and body. */
export const ConsoleResult = memo(function ConsoleResult({ shown }: { shown: ShownAnswer | null }) {
  if (shown === null) {
    return <p className="rounded-panel border border-dashed border-line-strong px-4 py-10 text-center text-ink-2">The response will appear here.</p>
  }
  const { answer, mode } = shown
  const retryAfter = answer.status === 429 ? headerNamed(answer, 'retry-after') : null
  return (
    <div className={`rounded-panel border bg-surface ${mode === 'live' ? 'border-line-strong' : 'border-dashed border-test'}`}>
      <Facts answer={answer} mode={mode} />
      {retryAfter === null ? null : <p className="bg-caution-wash px-3 py-2.5 text-caution">Rate limit exceeded. Try again in {retryAfter} seconds.</p>}
      <Headers answer={answer} />
      <div className="p-3">
        <JsonBlock value={json(answer.body)} />
      </div>
    </div>
  )
})
