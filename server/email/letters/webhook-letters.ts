import { creditsPerEvent } from '#server/api/contract/events.ts'
import type { WebhookNotice } from '#server/api/contract/webhooks.ts'
import { action, facts, type Letter, text } from '../letter.ts'
import type { MailFacts } from '../mail-kinds.ts'
import { type LetterContext, moment } from './account-letters.ts'

const about = ({ publicUrl }: LetterContext, { endpoint }: WebhookNotice) => action('Open the endpoint', `${publicUrl}/portal/webhooks/${endpoint}`)
const where = ({ host, endpoint }: WebhookNotice) => facts(['Receiver', host], ['Endpoint', endpoint])

const writers: Readonly<Record<WebhookNotice['notice'], (context: LetterContext, notice: WebhookNotice) => Letter>> = {
  held: (context, notice) => ({
    subject: 'Your webhooks wait for credits',
    parts: [
      text(`An event costs ${creditsPerEvent} credits and your balance does not cover the next one. Events are kept, and go on in order when you top up.`),
      where(notice),
      action('Top up', `${context.publicUrl}/portal/billing/top-up`),
    ],
  }),
  capped: (context, notice) => ({
    subject: 'Your webhooks wait for your monthly cap',
    parts: [
      text(
        `An event costs ${creditsPerEvent} credits and your cap leaves less than that for this month. Events are kept, and go on in order when the month ends (UTC), or when you raise the cap.`,
      ),
      where(notice),
      action('Change the cap', `${context.publicUrl}/portal/billing`),
    ],
  }),
  failing: (context, notice) => ({
    subject: `${notice.host} does not take your webhooks`,
    parts: [
      text('Nothing has been delivered to this endpoint for a day or more. We go on trying; after five days of nothing but failures it is switched off.'),
      where(notice),
      about(context, notice),
    ],
  }),
  disabled: (context, notice) => ({
    subject: `Webhooks to ${notice.host} are switched off`,
    parts: [
      text(
        'Nothing has been delivered to this endpoint for five days, so it is switched off. New events are not kept for it. Resume it when the receiver works.',
      ),
      where(notice),
      about(context, notice),
    ],
  }),
  gone: (context, notice) => ({
    subject: `Webhooks to ${notice.host} are switched off`,
    parts: [
      text('The receiver answered 410, which means that it wants no more events, so the endpoint is switched off. New events are not kept for it.'),
      where(notice),
      about(context, notice),
    ],
  }),
}

/** The letter about the health of an endpoint. */
export const webhookLetter = (context: LetterContext, notice: WebhookNotice): Letter => writers[notice.notice](context, notice)

/** Between quotes of a shell, whatever an address may hold: it is typed by strangers, and the line below is there to be pasted. */
const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/** The letter to an administrator: who asks, and what lets them have it. */
export const webhooksAskedLetter = (_context: LetterContext, { at, account, email, name }: MailFacts['webhooks-asked']): Letter => ({
  subject: `${email} asks for webhooks`,
  parts: [
    text('An account asks to have webhooks switched on. It can ask once a day; nothing is switched on by itself.'),
    facts(['Account', account], ['Email', email], ['Name', name === '' ? 'none' : name], ['When', moment(at)]),
    text(`To switch them on: svc account webhooks --account ${quoted(email)} --on`),
  ],
})
