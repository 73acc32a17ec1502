import { z } from 'zod'
import { alertFrequencies, alertKindNames, maxAlertProviders } from './market-alerts.ts'

/** Longest query string of a filter. */
const maxFilterLength = 12_000

const fields = {
  name: z.string().min(1).max(100).regex(/\S/, 'Must not be empty.').describe('Name of the alert, used as the subject of its emails.'),
  kind: z
    .enum(alertKindNames)
    .describe(
      'What the alert tracks: products that match the filter (`products`), the products of certain providers (`providers`) or Bank Rate (`bank-rate`).',
    ),
  filter: z
    .string()
    .max(maxFilterLength)
    .regex(/^\S*$/, 'Must be a query string without spaces.')
    .describe(
      'Filters of /rates as a query string, such as `type=easy-access&minRate=4.6`. Only for alerts of kind `products`, which need at least one filter.',
    ),
  providers: z
    .array(
      z
        .string()
        .max(200)
        .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Must be a slug such as harrow-bank.'),
    )
    .max(maxAlertProviders)
    .describe('Provider slugs. Only for alerts of kind `providers`, which need at least one slug.'),
  frequency: z
    .enum(alertFrequencies)
    .describe(
      'When emails are sent: as soon as changes are found (`immediate`), or once a day at 08:00 UK time with the changes of all daily alerts (`daily`).',
    ),
  email: z
    .boolean()
    .describe('True to email the owner of the alert: the member who created the key or, if that member can no longer manage alerts, the account owner.'),
  webhook: z.boolean().describe('True to send alert.matched to the webhook endpoints that are subscribed to it.'),
}

const state = z.enum(['active', 'paused']).describe('A paused alert reports nothing. Once resumed, it reports only later changes.')

/** Market alert in API responses. */
export const AlertRecord = z.object({
  id: z.string().describe('ID, starts with `alr_`.'),
  ...fields,
  state,
  createdAt: z.iso.datetime().describe('Time of creation, UTC.'),
  lastFoundAt: z.iso.datetime().nullable().describe('Time at which changes were last found, UTC; null if none have been found yet.'),
})

export type AlertRecord = z.output<typeof AlertRecord>

/** Settings of a new alert. */
export const AlertBody = z.object({
  name: fields.name,
  kind: fields.kind,
  filter: fields.filter.default(''),
  providers: fields.providers.default([]),
  frequency: fields.frequency.default('immediate'),
  email: fields.email.default(true),
  webhook: fields.webhook.default(false),
})

export type AlertBody = z.output<typeof AlertBody>

/** Settings to change; omitted settings stay the same. */
export const AlertUpdate = z.object({
  name: fields.name.optional(),
  kind: fields.kind.optional(),
  filter: fields.filter.optional(),
  providers: fields.providers.optional(),
  frequency: fields.frequency.optional(),
  email: fields.email.optional(),
  webhook: fields.webhook.optional(),
  state: state.optional(),
})

export type AlertUpdate = z.output<typeof AlertUpdate>
