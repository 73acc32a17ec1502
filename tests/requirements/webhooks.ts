import type { Requirement } from './requirement.ts'

/** Requirements for webhook deliveries and endpoints. */
export const webhooks = {
  'webhooks/enabled-per-account': {
    source: 'SPEC Events',
    behaviour: 'Webhooks work only for accounts for which they are enabled.',
  },
  'webhooks/enabled-by-approved-account': {
    source: 'SPEC Events',
    behaviour: 'An approved account enables webhooks with one click, and sees the price of an event before.',
  },
  'webhooks/disabled-by-administrator': {
    source: 'SPEC Events',
    behaviour: 'If an administrator disables webhooks for an account, the account cannot enable them itself.',
  },
  'webhooks/first-2xx-delivers': {
    source: 'SPEC States: Webhook delivery',
    behaviour: 'The first 2xx from the receiver marks the delivery as delivered.',
  },
  'webhooks/charged-on-first-2xx': {
    source: 'SPEC States: Webhook delivery',
    behaviour: 'A delivery costs 5 credits, charged once, on the first 2xx.',
  },
  'webhooks/retries-not-charged-again': { source: 'SPEC Events', behaviour: 'Retries are not charged again.' },
  'webhooks/test-events-free': { source: 'SPEC Events', behaviour: 'Test events are free.' },
  'webhooks/non-2xx-retries': {
    source: 'SPEC States: Webhook delivery',
    behaviour: 'A non-2xx response schedules a retry while attempts remain.',
  },
  'webhooks/timeout-10-seconds': {
    source: 'SPEC States: Webhook delivery',
    behaviour: 'An attempt that takes more than 10 seconds fails, and a retry is scheduled.',
  },
  'webhooks/retry-delays': {
    source: 'SPEC States: Webhook delivery',
    behaviour: 'The delays between attempts are 1 minute, 5 minutes, 30 minutes, 2 hours and 12 hours.',
  },
  'webhooks/dead-after-last-retry': {
    source: 'SPEC States: Webhook delivery',
    behaviour: 'A delivery is dead if the attempt after the 12-hour delay fails.',
  },
  'webhooks/manual-redelivery': {
    source: 'SPEC States: Webhook delivery',
    behaviour: 'A dead delivery can be redelivered manually from the dashboard.',
  },
  'webhooks/paused-without-balance': {
    source: 'SPEC States: Webhook delivery',
    behaviour: 'An endpoint is paused, not deleted, if the balance does not cover its next delivery.',
  },
  'webhooks/resumes-on-top-up': {
    source: 'SPEC States: Webhook delivery',
    behaviour: 'A paused endpoint resumes after a top-up.',
  },
  'webhooks/event-id-in-body': { source: 'DECISIONS 26', behaviour: 'id in the body is the event id.' },
  'webhooks/delivery-id-over-retries': {
    source: 'DECISIONS 26',
    behaviour: 'X-SVC-Delivery is the delivery id, which is the same for all retries.',
  },
  'webhooks/secret-rotation': {
    source: 'DECISIONS 26',
    behaviour: 'For 24 hours after a secret rotation, deliveries have two v1= values.',
  },
  'webhooks/redirects-fail': { source: 'DECISIONS 26', behaviour: 'A redirect counts as a failure.' },
  'webhooks/addresses-checked': {
    source: 'DECISIONS 26',
    behaviour: 'Every address the receiver resolves to is checked, and the connection uses a checked address.',
  },
  'webhooks/resumes-in-order': {
    source: 'DECISIONS 26',
    behaviour: 'A paused endpoint keeps its pending events and delivers them in order once resumed.',
  },
} as const satisfies Record<string, Requirement>
