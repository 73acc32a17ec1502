import { Chevron } from '../ui/chevron.tsx'
import { JsonBlock } from '../ui/json-block.tsx'
import { Tag } from '../ui/tag.tsx'
import type { ConsoleAnswer } from './console-call.ts'

function json(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // No JSON is shown as the text that it is.
    return body
  }
}

function headerNamed({ headers }: ConsoleAnswer, name: string): string | null {
  return headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? null
}

function Facts({ answer }: { answer: ConsoleAnswer }) {
  const { status, tookMs } = answer
  const tone = status < 300 ? 'good' : status < 500 ? 'caution' : 'danger'
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-dashed border-test px-3 py-2.5 text-note">
      <Tag tone="test">Test</Tag>
      <span>
        Status <Tag tone={tone}>{status}</Tag>
      </span>
      <span>
        Took <span className="font-mono">{tookMs} ms</span>
      </span>
      <span>
        Cost <span className="font-mono">{headerNamed(answer, 'x-svc-credits-charged') ?? '0'} credits</span>
      </span>
    </p>
  )
}

/** An answer: status, time, headers, body. */
export function ConsoleResult({ answer }: { answer: ConsoleAnswer | null }) {
  if (answer === null) {
    return <p className="rounded-panel border border-dashed border-line-strong px-4 py-10 text-center text-ink-2">The answer appears here.</p>
  }
  const retryAfter = answer.status === 429 ? headerNamed(answer, 'retry-after') : null
  return (
    <div className="rounded-panel border border-dashed border-test bg-surface">
      <Facts answer={answer} />
      {retryAfter === null ? null : <p className="bg-caution-wash px-3 py-2.5 text-caution">Too many calls. Try again in {retryAfter} seconds.</p>}
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
      <div className="p-3">
        <JsonBlock value={json(answer.body)} />
      </div>
    </div>
  )
}
