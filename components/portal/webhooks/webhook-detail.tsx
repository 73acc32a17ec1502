import { DataTable } from '#components/data/data-table.tsx'
import { JsonBlock } from '#components/data/json-block.tsx'
import { Time } from '#components/data/time.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { credits, number } from '../amounts.ts'
import { Fact } from '../fact.tsx'
import { percentagePoints, WebhookStateTag, waitingCount } from './webhook-labels.tsx'
import type { ListedWebhook } from './webhook-list.tsx'

export type ShownWebhook = ListedWebhook & {
  readonly providers: readonly string[]
  readonly accountTypes: readonly string[]
  readonly minChangeBp: number | null
  readonly stateReason: 'gone' | 'failures' | null
  readonly createdAt: Date
  readonly failingSince: Date | null
  readonly oldSecretEndsAt: Date | null
  readonly shortage: { readonly isCapped: boolean; readonly missingCredits: number } | null
}

/** Explains why events are waiting: the monthly cap is reached, or the account has too few credits. */
function HeldNotice({ webhook: { waiting, shortage }, creditsPerEvent }: { webhook: ShownWebhook; creditsPerEvent: number }) {
  const waitingText = `${waitingCount(waiting)} ${waiting === 1 ? 'event is' : 'events are'} waiting.`
  if (shortage?.isCapped)
    return (
      <Notice tone="caution">
        {waitingText} You've reached your monthly cap. They'll be sent in order when the month ends (UTC) or you raise the cap.{' '}
        <a className="prose-link" href="/portal/billing">
          Change the cap
        </a>
      </Notice>
    )
  return (
    <Notice tone="caution">
      {waitingText} Top up {credits(shortage?.missingCredits ?? creditsPerEvent)} to send all of them in order.{' '}
      <a className="prose-link" href="/portal/billing/top-up">
        Top up
      </a>
    </Notice>
  )
}

function StateNotice({ webhook, creditsPerEvent }: { webhook: ShownWebhook; creditsPerEvent: number }) {
  const { state, stateReason, failingSince } = webhook
  if (state === 'held') return <HeldNotice webhook={webhook} creditsPerEvent={creditsPerEvent} />
  if (state === 'disabled')
    return (
      <Notice tone="danger">
        {stateReason === 'gone'
          ? 'Your server returned 410 Gone, so we disabled this endpoint.'
          : 'No delivery succeeded for five days, so we disabled this endpoint.'}{' '}
        New events are not queued for it.
      </Notice>
    )
  if (failingSince !== null)
    return (
      <Notice tone="caution">
        No delivery has succeeded since <Time at={failingSince} isStop />. We'll keep retrying.
      </Notice>
    )
  return null
}

/** Details of an endpoint, without its secret. */
export function WebhookDetail({ webhook, creditsPerEvent }: { webhook: ShownWebhook; creditsPerEvent: number }) {
  const { id, url, description, state, types, providers, accountTypes, minChangeBp, createdAt, oldSecretEndsAt, waiting } = webhook
  return (
    <>
      <p className="mb-2">
        <a className="prose-link" href="/portal/webhooks">
          Webhooks
        </a>
      </p>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <h1 className="text-h1 font-semibold tracking-tight wrap-anywhere">{description === '' ? new URL(url).host : description}</h1>
        <WebhookStateTag state={state} />
        <span className="ml-auto">
          <ButtonLink kind="second" href={`/portal/webhooks/${id}/edit`}>
            Edit
          </ButtonLink>
        </span>
      </div>
      <div className="mb-6 empty:hidden">
        <StateNotice webhook={webhook} creditsPerEvent={creditsPerEvent} />
      </div>
      <dl className="border-t border-line">
        <Fact name="URL">
          <code className="font-mono text-table">{url}</code>
        </Fact>
        <Fact name="Events">
          <code className="font-mono text-table">{types.join(', ')}</code>
        </Fact>
        <Fact name="Providers">{providers.length === 0 ? 'All providers' : providers.join(', ')}</Fact>
        <Fact name="Account types">{accountTypes.length === 0 ? 'All account types' : accountTypes.join(', ')}</Fact>
        <Fact name="Rate changes">{minChangeBp === null ? 'All changes' : `${percentagePoints(minChangeBp)} percentage points or more`}</Fact>
        <Fact name="Waiting">{waitingCount(waiting)}</Fact>
        {oldSecretEndsAt === null ? null : (
          <Fact name="Old secret">
            Valid until <Time at={oldSecretEndsAt} isStop />
          </Fact>
        )}
        <Fact name="Created">
          <Time at={createdAt} isStop />
        </Fact>
      </dl>
    </>
  )
}

type ShownHealth = {
  readonly attempts: number
  readonly successRate: number | null
  readonly hours: readonly {
    readonly hour: Date
    readonly attempts: number
    readonly delivered: number
    readonly medianMs: number | null
    readonly p95Ms: number | null
  }[]
}

const height = 60
const ms = (value: number | null): string => (value === null ? '–' : `${number(value)} ms`)

/** The receiver's time to first byte, by hour: median and 95th percentile. */
function Latency({ hours }: Pick<ShownHealth, 'hours'>) {
  const max = Math.max(1, ...hours.map(({ p95Ms }) => p95Ms ?? 0))
  const bar = (value: number | null) => ((value ?? 0) / max) * height
  return (
    <figure>
      <svg
        viewBox={`0 0 ${Math.max(24, hours.length)} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="h-20 w-full border-b border-line-strong"
      >
        {hours.map(({ hour, medianMs, p95Ms }, at) => (
          <g key={hour.toISOString()}>
            <rect x={at + 0.1} width={0.8} y={height - bar(p95Ms)} height={bar(p95Ms)} className="fill-chart-2" />
            <rect x={at + 0.1} width={0.8} y={height - bar(medianMs)} height={bar(medianMs)} className="fill-chart-1" />
          </g>
        ))}
      </svg>
      <figcaption className="mt-1 text-note text-ink-2">Time to first byte by hour: median and p95. Highest: {ms(max)}.</figcaption>
    </figure>
  )
}

/** Success rate and latency of an endpoint in the last seven days. */
export function Health({ health: { attempts, successRate, hours } }: { health: ShownHealth }) {
  return (
    <section aria-labelledby="health" className="mt-10">
      <h2 id="health" className="text-h2 font-semibold">
        Last 7 days
      </h2>
      {successRate === null ? (
        <p className="mt-1 text-ink-2">No attempts in the last 7 days.</p>
      ) : (
        <>
          <p className="mt-1 mb-4">
            {(successRate * 100).toFixed(1)}% of {number(attempts)} {attempts === 1 ? 'attempt' : 'attempts'} succeeded (2xx).
          </p>
          <Latency hours={hours} />
          <details className="mt-2">
            <summary className="min-h-8 cursor-pointer">Show as table</summary>
            <DataTable
              caption="Attempts by hour"
              rows={hours}
              rowKey={({ hour }) => hour.toISOString()}
              columns={[
                { name: 'Hour', isHead: true, cell: ({ hour }) => <Time at={hour} /> },
                { name: 'Attempts', isNumber: true, cell: (row) => number(row.attempts) },
                { name: 'Delivered', isNumber: true, cell: ({ delivered }) => number(delivered) },
                { name: 'Median', isNumber: true, cell: ({ medianMs }) => ms(medianMs) },
                { name: 'p95', isNumber: true, cell: ({ p95Ms }) => ms(p95Ms) },
              ]}
            />
          </details>
        </>
      )}
    </section>
  )
}

export type Sample = { readonly type: string; readonly data: object }

/** Example payloads of an endpoint's events, from the sample data. */
export function Samples({ samples }: { samples: readonly Sample[] }) {
  return (
    <section aria-labelledby="samples" className="mt-10">
      <h2 id="samples" className="text-h2 font-semibold">
        Example payloads
      </h2>
      <p className="mt-1 mb-2 text-pretty text-ink-2">The payload of each event, as sent in test events.</p>
      {samples.map(({ type, data }) => (
        <details key={type} className="border-b border-line py-2">
          <summary className="min-h-8 cursor-pointer font-mono text-table">{type}</summary>
          <JsonBlock value={data} />
        </details>
      ))}
    </section>
  )
}
