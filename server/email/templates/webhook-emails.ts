import type { WebhookNotice } from '#server/api/contract/webhooks.ts'
import { creditsPerEvent, unacknowledged } from '#server/api/contract/webhooks.ts'
import type { EmailData } from '../email-content.ts'
import { action, type EmailContent, facts, message, text } from '../email-content.ts'
import { type EmailContext, moment } from './account-emails.ts'

const notices: Readonly<Record<WebhookNotice['notice'], { subject: (host: string) => string; about: string; link?: readonly [label: string, path: string] }>> =
  {
    held: {
      subject: () => 'Webhooks paused: not enough credits',
      about: `Each event costs ${creditsPerEvent} credits, and your balance doesn't cover the next one. We'll keep your events and deliver them in order once you top up.`,
      link: ['Top up', '/portal/billing/top-up'],
    },
    capped: {
      subject: () => 'Webhooks paused: monthly cap reached',
      about: `Each event costs ${creditsPerEvent} credits, and your monthly cap doesn't leave enough for the next one. We'll keep your events and deliver them in order when the month ends (UTC) or you raise the cap.`,
      link: ['Change the cap', '/portal/billing/alerts#cap'],
    },
    unacknowledged: {
      subject: () => 'Webhooks paused: too many events without a 2xx response',
      about: `We've paused new market events because your servers received too many events in the last ${unacknowledged.days} days without returning 2xx. We'll keep the new events. Fix your server, then redeliver the failed events. Each event that your server confirms with a 2xx releases one that's waiting.`,
      link: ['Open webhooks', '/portal/webhooks'],
    },
    failing: {
      subject: (host) => `Webhook deliveries to ${host} are failing`,
      about: "Nothing has been delivered to this endpoint for at least a day. We'll keep trying, and disable the endpoint after five days of failures.",
    },
    disabled: {
      subject: (host) => `Webhooks to ${host} are disabled`,
      about:
        "Nothing has been delivered to this endpoint for five days, so we disabled it. We won't queue new events for it. Fix your server, then resume the endpoint.",
    },
    gone: {
      subject: (host) => `Webhooks to ${host} are disabled`,
      about: "Your server returned 410 Gone, which tells us to stop sending events, so we disabled the endpoint. We won't queue new events for it.",
    },
  }

/** Builds the email about the health of a webhook endpoint. */
export function webhookEmail({ publicUrl }: EmailContext, { notice, host, endpoint }: WebhookNotice): EmailContent {
  const { subject, about, link: [label, path] = ['Open the endpoint', `/portal/webhooks/${endpoint}`] } = notices[notice]
  return message(subject(host), text(about), facts(['Host', host], ['Endpoint', endpoint]), action(label, `${publicUrl}${path}`))
}

/** Quotes an email address for the shell. It is user input, and administrators paste the command that contains it. */
const shellQuote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/** Builds the email that asks administrators to enable webhooks for an account. */
export const webhooksRequestedEmail = ({ publicUrl }: EmailContext, { at, account, email, name }: EmailData['webhooks-asked']): EmailContent =>
  message(
    `${email} requested webhooks`,
    text(
      'An administrator disabled webhooks for this account. The customer has asked for them to be enabled. Nothing changes until you enable them. Customers can send one such request a day.',
    ),
    facts(['Account', account], ['Email', email], ['Name', name === '' ? 'none' : name], ['When', moment(at)]),
    action('Open the account', `${publicUrl}/admin/accounts/${account}`),
    text(`Or on the command line: svc account webhooks --account ${shellQuote(email)} --on`),
  )
