import { ticketTopics } from '#server/api/contract/support.ts'
import { action, type EmailContent, type EmailData, facts, message, text } from '../email-content.ts'
import type { EmailContext } from './account-emails.ts'

/** Notifies the administrators of a customer's message. */
export const ticketMessageEmail = (
  { publicUrl }: EmailContext,
  { ticket, topic, email, isConfirmed, text: words }: EmailData['ticket-message'],
): EmailContent =>
  message(
    `Support: message from ${isConfirmed ? email : 'an unconfirmed address'}`,
    facts(['From', isConfirmed ? email : `${email} (not confirmed: anyone may have entered this address)`], ['Topic', ticketTopics[topic]]),
    text(words),
    action('Reply', `${publicUrl}/admin/support/${ticket}`),
  )

/** Sends our answer, or a message that we write first, to the customer. */
export const ticketAnswerEmail = ({ publicUrl }: EmailContext, { ticket, text: words, isFirst }: EmailData['ticket-answer']): EmailContent =>
  message(isFirst ? 'Message from support' : 'Support has replied to your message', text(words), action('Read or reply', `${publicUrl}/portal/help/${ticket}`))
