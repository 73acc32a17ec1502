import type { WebhookNotice } from '#server/api/contract/webhooks.ts'
import { creditsPerEvent } from '#server/api/contract/webhooks.ts'
import type { EmailData } from '../email-content.ts'
import { action, type EmailContent, facts, text } from '../email-content.ts'
import { type EmailContext, moment } from './account-emails.ts'

const openEndpoint = ({ publicUrl }: EmailContext, { endpoint }: WebhookNotice) => action('Open the endpoint', `${publicUrl}/portal/webhooks/${endpoint}`)
const toEndpointData = ({ host, endpoint }: WebhookNotice) => facts(['Receiver', host], ['Endpoint', endpoint])

const writers: Readonly<Record<WebhookNotice['notice'], (context: EmailContext, notice: WebhookNotice) => EmailContent>> = {
  held: (context, notice) => ({
    subject: 'Webhooks paused: not enough credits',
    parts: [
      text(`Each event costs ${creditsPerEvent} credits and your balance doesn't cover the next one. Events are kept, and delivered in order once you top up.`),
      toEndpointData(notice),
      action('Top up', `${context.publicUrl}/portal/billing/top-up`),
    ],
  }),
  capped: (context, notice) => ({
    subject: 'Webhooks paused: monthly cap reached',
    parts: [
      text(
        `Each event costs ${creditsPerEvent} credits and less than that is left under your monthly cap. Events are kept, and delivered in order when the month ends (UTC) or you raise the cap.`,
      ),
      toEndpointData(notice),
      action('Change the cap', `${context.publicUrl}/portal/billing`),
    ],
  }),
  failing: (context, notice) => ({
    subject: `Webhook deliveries to ${notice.host} are failing`,
    parts: [
      text("Nothing has been delivered to this endpoint for at least a day. We'll keep trying, and disable the endpoint after five days of failures."),
      toEndpointData(notice),
      openEndpoint(context, notice),
    ],
  }),
  disabled: (context, notice) => ({
    subject: `Webhooks to ${notice.host} are disabled`,
    parts: [
      text(
        "Nothing has been delivered to this endpoint for five days, so we disabled it. New events aren't kept for it. Fix the receiver, then resume the endpoint.",
      ),
      toEndpointData(notice),
      openEndpoint(context, notice),
    ],
  }),
  gone: (context, notice) => ({
    subject: `Webhooks to ${notice.host} are disabled`,
    parts: [
      text("The receiver returned 410, which means it wants no more events, so we disabled the endpoint. New events aren't kept for it."),
      toEndpointData(notice),
      openEndpoint(context, notice),
    ],
  }),
}

/** Builds the email about the health of a webhook endpoint. */
export const webhookEmail = (context: EmailContext, notice: WebhookNotice): EmailContent => writers[notice.notice](context, notice)

/** Quotes an email address for the shell. It is user input, and administrators paste the command that contains it. */
const shellQuote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/** Builds the email that asks administrators to enable webhooks for an account. */
export const webhooksRequestedEmail = (_context: EmailContext, { at, account, email, name }: EmailData['webhooks-asked']): EmailContent => ({
  subject: `${email} asks for webhooks`,
  parts: [
    text('An account asked for webhooks, which it can do once a day. Nothing changes until you enable them.'),
    facts(['Account', account], ['Email', email], ['Name', name === '' ? 'none' : name], ['When', moment(at)]),
    text(`To enable them: svc account webhooks --account ${shellQuote(email)} --on`),
  ],
})
