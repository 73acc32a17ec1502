import type { Requirement } from './requirement.ts'

/** Requirements for webhook deliveries and endpoints. */
export const webhooks = {
  'webhooks/enabled-per-account': {
    source: 'SPEC Events',
    behaviour: 'Webhooks work only for accounts for which they are enabled.',
  },
  'webhooks/enabled-by-approved-account': {
    source: 'SPEC Events',
    behaviour: 'An approved account enables webhooks with one click, after seeing the price of an event.',
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
  'webhooks/managed-by-api': {
    source: 'SPEC Events',
    behaviour: 'A key with the scope account:manage manages webhook endpoints and their deliveries over the API, free of charge.',
  },
  'webhooks/created-by-api': {
    source: 'SPEC Events',
    behaviour: 'The API creates, changes, rotates, pauses, resumes and deletes webhook endpoints; each change has an audit entry that names the key.',
  },
  'webhooks/deliveries-by-api': {
    source: 'SPEC Events',
    behaviour: 'The API lists deliveries page by page, returns one with its data and attempts, and redelivers it.',
  },
  'webhooks/events-by-api': {
    source: 'SPEC Events',
    behaviour: "The API lists the events that were sent to the endpoints of the key's mode, with their data, free of charge, and omits unsent events.",
  },
  'webhooks/unpaid-events-stay-unread': {
    source: 'SPEC Events',
    behaviour: 'A live event can be read over the API only if it was charged or is owed, not while it is pending or after failed attempts.',
  },
  'webhooks/events-by-time': {
    source: 'SPEC Events',
    behaviour: 'The list of sent events is ordered by the time of delivery, so that events of a paused endpoint that are sent late come first.',
  },
  'webhooks/events-search-continues': {
    source: 'SPEC Events',
    behaviour: 'If a search for a rare event type ends early, the page has a cursor to continue from.',
  },
  'webhooks/samples-by-api': {
    source: 'SPEC Events',
    behaviour: 'The API returns an example of each event type with data from the sample market.',
  },
  'webhooks/svc-listen': {
    source: 'SPEC Events',
    behaviour: 'svc listen forwards the events that were sent to an account to a local server, signed and free of charge, until it is stopped.',
  },
  'webhooks/cursors-hide-ids': {
    source: 'SPEC Events',
    behaviour: 'Cursors of deliveries contain no internal id, and lists continue after a delivery that has since been deleted.',
  },
  'webhooks/managed-by-mode': {
    source: 'SPEC Authentication',
    behaviour: 'A test key manages only test endpoints, and a live key only live ones.',
  },
  'webhooks/test-mode-events': {
    source: 'SPEC Events',
    behaviour: 'Endpoints created with a test key get the events of the sample market, with their filters and free of charge; live endpoints get none of them.',
  },
  'webhooks/api-needs-manage-scope': {
    source: 'SPEC Authentication',
    behaviour: 'Without the scope account:manage, calls that manage webhooks get 403 insufficient_scope and change nothing.',
  },
  'webhooks/api-hides-other-accounts': {
    source: 'SPEC Events',
    behaviour: 'Over the API, endpoints and deliveries of other accounts and of the other mode look as if they did not exist.',
  },
  'webhooks/api-body-checked': {
    source: 'SPEC Errors',
    behaviour: 'A body with an unknown, missing or invalid field gets 400 with the name of the field, and changes nothing.',
  },
  'webhooks/api-idempotent': {
    source: 'DECISIONS 21',
    behaviour: 'A call that changes webhooks has one effect per Idempotency-Key, and returns the same result again.',
  },
  'webhooks/api-replays-every-action': {
    source: 'DECISIONS 21',
    behaviour: 'Every call that changes webhooks can be repeated with its Idempotency-Key: it runs once, and each call is logged once.',
  },
  'webhooks/api-survives-kill': {
    source: 'DECISIONS 21',
    behaviour: 'If the process is killed during a call that changes webhooks, repeating the call with its Idempotency-Key changes them exactly once.',
  },
  'webhooks/api-respects-limits': {
    source: 'SPEC Limits',
    behaviour: 'Calls that change webhooks count towards the rate limits, have no effect over a limit, and are logged once with their status.',
  },
  'webhooks/api-obeys-revocation': {
    source: 'SPEC States: API key',
    behaviour: 'A revoked key changes no webhooks from its next call on.',
  },
  'webhooks/api-addresses-checked': {
    source: 'DECISIONS 26',
    behaviour: 'The API rejects webhook URLs that are not public.',
  },
} as const satisfies Record<string, Requirement>
