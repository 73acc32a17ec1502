import type { ReactNode } from 'react'
import { JsonBlock } from '#components/data/json-block.tsx'
import { Time } from '#components/data/time.tsx'
import { Tag } from '#components/ui/tag.tsx'
import { credits, number } from '../amounts.ts'
import { Fact } from '../fact.tsx'
import type { ShownDelivery } from './delivery-columns.tsx'
import { DeliveryStateTag } from './webhook-words.tsx'

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

function Attempt({ attempt, whose }: { attempt: ShownTry; whose: string }) {
  const { round, attempt: n, at, isDelivered, status, fault, totalMs, firstByteMs, headers, body } = attempt
  return (
    <li className="border-b border-line py-4">
      <h3 className="flex flex-wrap items-center gap-3 font-medium">
        Attempt {n}
        {round > 1 ? `, sent again ${round - 1} ${round === 2 ? 'time' : 'times'}` : ''}
        <Tag tone={isDelivered ? 'good' : 'danger'}>{status ?? 'No answer'}</Tag>
      </h3>
      <p className="mt-1 text-ink-2 tabular-nums">
        <Time at={at} look="second" isStop /> · {number(totalMs)} ms in all{firstByteMs === null ? '' : `, first byte after ${number(firstByteMs)} ms`}
      </p>
      {fault === null ? null : <p className="mt-1 text-danger wrap-anywhere">{fault}</p>}
      {status === null ? null : (
        <details className="mt-2">
          <summary className="min-h-8 cursor-pointer">{whose}</summary>
          <dl className="font-mono text-note">
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

/** Each attempt at a delivery, the newest first. `whose` says whose answer it is that came back. */
function Attempts({ tries, whose }: { tries: readonly ShownTry[]; whose: string }) {
  return (
    <section aria-labelledby="attempts" className="mt-10">
      <h2 id="attempts" className="text-h2 font-semibold">
        Attempts
      </h2>
      {tries.length === 0 ? <p className="mt-1 text-ink-2">None yet.</p> : null}
      <ol>
        {tries.map((attempt) => (
          <Attempt key={`${attempt.round}-${attempt.attempt}`} attempt={attempt} whose={whose} />
        ))}
      </ol>
    </section>
  )
}

/** How a page speaks of an account: to its owner, or to somebody else. */
export type DeliveryWords = {
  /** Where the page of the endpoint is, and what the way to it is called. */
  readonly way: { readonly href: string; readonly label: string }
  readonly ownEvent: string
  readonly owed: string
  readonly answered: string
}

function priceOf({ isTest, isFree, chargedCredits, isOwed }: ShownDeliveryInFull, { ownEvent, owed }: DeliveryWords): string {
  if (isTest) return 'Free: a test event'
  if (isFree) return ownEvent
  if (isOwed) return owed
  return chargedCredits === 0 ? 'Nothing yet: an event is charged with the first 2xx' : credits(chargedCredits)
}

/** Everything that is kept of a delivery, with each attempt. */
export function DeliveryInFull({ delivery, words, children }: { delivery: ShownDeliveryInFull; words: DeliveryWords; children: ReactNode }) {
  const { id, url, event, type, eventAt, dueAt, tries, data } = delivery
  return (
    <>
      <p className="mb-2">
        <a className="prose-link" href={words.way.href}>
          {words.way.label}
        </a>
      </p>
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
        <Fact name="Address">
          <code className="font-mono text-table">{url}</code>
        </Fact>
        <Fact name="Happened">
          <Time at={eventAt} isStop />
        </Fact>
        {dueAt === null ? null : (
          <Fact name="Next attempt">
            <Time at={dueAt} isStop />
          </Fact>
        )}
        <Fact name="Price">{priceOf(delivery, words)}</Fact>
      </dl>
      {children}
      <Attempts tries={tries} whose={words.answered} />
      <section aria-labelledby="data" className="mt-10">
        <h2 id="data" className="mb-2 text-h2 font-semibold">
          Data
        </h2>
        <JsonBlock value={data} />
      </section>
    </>
  )
}

/** A delivery as the account sees it that it is for. */
export function DeliveryDetail({ delivery, children }: { delivery: ShownDeliveryInFull; children: ReactNode }) {
  const words = {
    way: { href: `/portal/webhooks/${delivery.endpoint}`, label: 'Endpoint' },
    ownEvent: 'Free: an event of your account',
    owed: 'Owed: your balance was too low, so it is taken from the next credits',
    answered: 'What your server answered',
  }
  return (
    <DeliveryInFull delivery={delivery} words={words}>
      {children}
    </DeliveryInFull>
  )
}
