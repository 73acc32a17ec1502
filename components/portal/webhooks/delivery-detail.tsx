import type { ReactNode } from 'react'
import { JsonBlock } from '#components/data/json-block.tsx'
import { Time } from '#components/data/time.tsx'
import { BackLink } from '#components/ui/back-link.tsx'
import { SummaryButton } from '#components/ui/summary-button.tsx'
import { Tag } from '#components/ui/tag.tsx'
import { credits, number } from '../amounts.ts'
import { Fact } from '../fact.tsx'
import type { ShownDelivery } from './deliveries.tsx'
import { failureText } from './failure-text.ts'
import { DeliveryStateTag } from './webhook-labels.tsx'

export type ShownTry = {
  readonly round: number
  readonly attempt: number
  readonly at: Date
  readonly isDelivered: boolean
  readonly status: number | null
  readonly fault: string | null
  readonly totalMs: number
  readonly firstByteMs: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type ShownDeliveryInFull = ShownDelivery & {
  readonly endpoint: string
  readonly url: string
  readonly eventAt: Date
  readonly dueAt: Date | null
  readonly isOwed: boolean
  readonly isFree: boolean
  readonly data: unknown
  readonly tries: readonly ShownTry[]
}

function Attempt({ attempt, responseTitle }: { attempt: ShownTry; responseTitle: string }) {
  const { round, attempt: n, at, isDelivered, status, fault, totalMs, firstByteMs, headers, body } = attempt
  return (
    <li className="border-b border-line py-4">
      <h3 className="flex flex-wrap items-center gap-3 font-medium">
        Attempt {n}
        {round > 1 ? `, redelivered ${round === 2 ? 'once' : `${round - 1} times`}` : ''}
        <Tag tone={isDelivered ? 'good' : 'danger'}>{status ?? 'No response'}</Tag>
      </h3>
      <p className="mt-1 text-ink-2 tabular-nums">
        <Time at={at} look="second" isStop /> · {number(totalMs)} ms total{firstByteMs === null ? '' : `, first byte after ${number(firstByteMs)} ms`}
      </p>
      {fault === null ? null : (
        <p className="mt-1 text-pretty text-danger wrap-anywhere">
          {fault} {failureText({ status, fault }) === fault ? null : <span className="text-ink">{failureText({ status, fault })}</span>}
        </p>
      )}
      {status === null ? null : (
        <details className="mt-2">
          <SummaryButton>{responseTitle}</SummaryButton>
          <dl className="mt-2 font-mono text-note">
            {Object.entries(headers).map(([name, value]) => (
              <div key={name} className="grid gap-x-4 sm:grid-cols-[16rem_1fr]">
                <dt className="text-ink-2">{name}</dt>
                <dd className="min-w-0 wrap-anywhere">{value}</dd>
              </div>
            ))}
          </dl>
          <pre className="mt-2 font-mono text-note wrap-anywhere whitespace-pre-wrap">{body === '' ? 'No body.' : body}</pre>
        </details>
      )}
    </li>
  )
}

/** Attempts of a delivery, newest first. `responseTitle` is the heading of each response. */
function Attempts({ tries, responseTitle }: { tries: readonly ShownTry[]; responseTitle: string }) {
  return (
    <section aria-labelledby="attempts" className="mt-10">
      <h2 id="attempts" className="text-h2 font-semibold">
        Attempts
      </h2>
      {tries.length === 0 ? <p className="mt-1 text-ink-2">None yet.</p> : null}
      <ol>
        {tries.map((attempt) => (
          <Attempt key={`${attempt.round}-${attempt.attempt}`} attempt={attempt} responseTitle={responseTitle} />
        ))}
      </ol>
    </section>
  )
}

/** Wording of the delivery page, which differs for the account owner and for administrators. */
export type DeliveryLabels = {
  /** URL and label of the link to the endpoint's page. */
  readonly back: { readonly href: string; readonly label: string }
  /** Text shown as the price of account events, which are free. */
  readonly accountEvent: string
  /** Text shown as the price of an event that the balance could not cover. */
  readonly owed: string
  /** Heading of each response. */
  readonly responseTitle: string
}

function priceText({ isTest, isFree, chargedCredits, isOwed }: ShownDeliveryInFull, { accountEvent, owed }: DeliveryLabels): string {
  if (isTest) return 'Free: test event'
  if (isFree) return accountEvent
  if (isOwed) return owed
  return chargedCredits === 0 ? 'Not charged yet: events are charged on the first 2xx response' : credits(chargedCredits)
}

/** Full record of a delivery, with every attempt. */
export function DeliveryInFull({ delivery, labels, children }: { delivery: ShownDeliveryInFull; labels: DeliveryLabels; children: ReactNode }) {
  const { id, url, event, type, eventAt, dueAt, tries, data } = delivery
  return (
    <>
      <BackLink href={labels.back.href} name={labels.back.label} />
      <div className="mb-6 flex flex-wrap items-center gap-3">
        <h1 className="font-mono text-h2 font-semibold wrap-anywhere">{type}</h1>
        <DeliveryStateTag {...delivery} />
      </div>
      <dl className="border-t border-line">
        <Fact name="Delivery">
          <code className="font-mono text-table">{id}</code>
        </Fact>
        <Fact name="Event">
          <code className="font-mono text-table">{event}</code>
        </Fact>
        <Fact name="URL">
          <code className="font-mono text-table">{url}</code>
        </Fact>
        <Fact name="Occurred">
          <Time at={eventAt} isStop />
        </Fact>
        {dueAt === null ? null : (
          <Fact name="Next attempt">
            <Time at={dueAt} isStop />
          </Fact>
        )}
        <Fact name="Price">{priceText(delivery, labels)}</Fact>
      </dl>
      {children}
      <Attempts tries={tries} responseTitle={labels.responseTitle} />
      <section aria-labelledby="data" className="mt-10">
        <h2 id="data" className="mb-2 text-h2 font-semibold">
          Event data
        </h2>
        {data === null ? (
          <p className="text-pretty text-ink-2">Shown once the event has been delivered and charged. The webhooks page has an example of each event type.</p>
        ) : (
          <>
            <p className="mb-2 text-pretty text-ink-2">The data field of the request body. The body also contains id, type, createdAt and attempt.</p>
            <JsonBlock value={data} />
          </>
        )}
      </section>
    </>
  )
}
