import { Tag, type Tone } from '#components/ui/tag.tsx'
import { type DeliveryState, mostCountedWaiting, type WebhookState } from '#server/api/contract/webhooks.ts'
import { number } from '../amounts.ts'

const endpointTags: Readonly<Record<WebhookState, readonly [tone: Tone, word: string]>> = {
  active: ['good', 'Active'],
  paused: ['plain', 'Paused'],
  held: ['caution', 'Waiting for credits'],
  disabled: ['danger', 'Switched off'],
}

export function WebhookStateTag({ state }: { state: WebhookState }) {
  const [tone, word] = endpointTags[state]
  return <Tag tone={tone}>{word}</Tag>
}

export const deliveryWords: Readonly<Record<DeliveryState, string>> = { waiting: 'Waiting', delivered: 'Delivered', dead: 'Dead', cancelled: 'Cancelled' }

const deliveryTones: Readonly<Record<DeliveryState, Tone>> = { waiting: 'plain', delivered: 'good', dead: 'danger', cancelled: 'plain' }

/** A delivery that waits after an attempt that failed is being retried. */
export function DeliveryStateTag({ state, attempts, isTest }: { state: DeliveryState; attempts: number; isTest: boolean }) {
  const isRetrying = state === 'waiting' && attempts > 0
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <Tag tone={isRetrying ? 'caution' : deliveryTones[state]}>{isRetrying ? 'Retrying' : deliveryWords[state]}</Tag>
      {isTest ? <Tag tone="test">Test</Tag> : null}
    </span>
  )
}

/** How many wait; beyond a bound they are not counted. */
export const waitingWords = (count: number): string => (count > mostCountedWaiting ? `More than ${number(mostCountedWaiting)}` : number(count))

/** Share of attempts that were answered with 2xx. */
export const successWords = (rate: number | null): string => (rate === null ? '–' : `${(rate * 100).toFixed(1)}%`)

/** Hundredths of a percent as people read them: `0.25`. */
export const percentagePoints = (bp: number): string => (bp / 100).toFixed(2)
