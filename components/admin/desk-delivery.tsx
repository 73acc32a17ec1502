import type { ReactNode } from 'react'
import { credits } from '../portal/amounts.ts'
import { Fact } from '../portal/fact.tsx'
import { Attempts, type ShownDeliveryInFull } from '../portal/webhooks/delivery-detail.tsx'
import { DeliveryStateTag } from '../portal/webhooks/webhook-words.tsx'
import { JsonBlock } from '../ui/json-block.tsx'
import { Time } from '../ui/time.tsx'

function priceOf({ isTest, isFree, chargedCredits, isOwed }: ShownDeliveryInFull): string {
  if (isTest) return 'Free: a test event'
  if (isFree) return 'Free: an event of the account itself'
  if (isOwed) return 'Owed: the balance was too low, so it is taken from the next credits'
  return chargedCredits === 0 ? 'Nothing yet: an event is charged with the first 2xx' : credits(chargedCredits)
}

/** Everything that is kept of a delivery, as the desk reads it. */
export function DeskDelivery({ delivery, children }: { delivery: ShownDeliveryInFull; children: ReactNode }) {
  const { id, endpoint, url, event, type, eventAt, dueAt, tries, data } = delivery
  return (
    <>
      <p className="mb-2">
        <a className="prose-link" href={`/admin/deliveries/${endpoint}`}>
          {endpoint}
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
        <Fact name="Price">{priceOf(delivery)}</Fact>
      </dl>
      {children}
      <Attempts tries={tries} whose="What the account’s server answered" />
      <section aria-labelledby="data" className="mt-10">
        <h2 id="data" className="mb-2 text-h2 font-semibold">
          Data
        </h2>
        <JsonBlock value={data} />
      </section>
    </>
  )
}
