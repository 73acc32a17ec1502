import { Tag, type Tone } from '#components/ui/tag.tsx'
import { maxCountedWaiting } from '#server/api/contract/request-bounds.ts'
import type { DeliveryState, WebhookState } from '#server/api/contract/webhooks.ts'
import { number } from '../amounts.ts'

const endpointTags: Readonly<Record<WebhookState, readonly [tone: Tone, label: string]>> = {
  active: ['good', 'Active'],
  paused: ['plain', 'Paused'],
  held: ['caution', 'Waiting for credits'],
  disabled: ['danger', 'Disabled'],
}

export function WebhookStateTag({ state }: { state: WebhookState }) {
  const [tone, label] = endpointTags[state]
  return <Tag tone={tone}>{label}</Tag>
}

/** State of an endpoint, with a tag if it gets the events of the sample market. */
export function WebhookTags({ state, mode }: { state: WebhookState; mode: 'test' | 'live' }) {
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <WebhookStateTag state={state} />
      {mode === 'test' ? <Tag tone="test">Test</Tag> : null}
    </span>
  )
}

export const deliveryLabels: Readonly<Record<DeliveryState, string>> = { waiting: 'Waiting', delivered: 'Delivered', dead: 'Failed', cancelled: 'Cancelled' }

const deliveryTones: Readonly<Record<DeliveryState, Tone>> = { waiting: 'plain', delivered: 'good', dead: 'danger', cancelled: 'plain' }

/** State of a delivery. A waiting delivery with a failed attempt is shown as retrying. */
export function DeliveryStateTag({ state, attempts, isTest }: { state: DeliveryState; attempts: number; isTest: boolean }) {
  const isRetrying = state === 'waiting' && attempts > 0
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <Tag tone={isRetrying ? 'caution' : deliveryTones[state]}>{isRetrying ? 'Retrying' : deliveryLabels[state]}</Tag>
      {isTest ? <Tag tone="test">Test</Tag> : null}
    </span>
  )
}

/** Formats the number of waiting events, which is counted up to a limit. */
export const waitingCount = (count: number): string => (count > maxCountedWaiting ? `More than ${number(maxCountedWaiting)}` : number(count))

/** Formats the share of attempts that got a 2xx response; a dash if there were none. */
export const successRateText = (rate: number | null): string => (rate === null ? '–' : `${(rate * 100).toFixed(1)}%`)

/** Formats basis points as percentage points: `0.25`. */
export const percentagePoints = (bp: number): string => (bp / 100).toFixed(2)

/** Interval at which an open endpoint page updates. Browsers pause it while the page is hidden. */
export const liveEveryMs = 5_000

/** Reports how many deliveries are being redelivered. */
export function redeliveryMessage({ count, next }: { readonly count: number; readonly next: string | null }): string {
  const sent = count === 1 ? 'Redelivering 1 delivery.' : `Redelivering ${count} deliveries.`
  return next === null ? sent : `${sent} There are more. Redeliver again to continue.`
}
