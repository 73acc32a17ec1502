import { administratorEmails } from '#server/accounts/accounts.ts'
import { readMemberLabels } from '#server/accounts/member-labels.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError, refuseFaults } from '#server/api/contract/field-errors.ts'
import { maxTicketLength, type TicketTopic, ticketTopicNames } from '#server/api/contract/support.ts'
import { clock } from '#server/clock.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { enqueueEmails } from '#server/email/email.ts'
import { newPublicId } from '#server/ids.ts'

/** Customer who writes to support. `email` is the writer's address and `memberId` their login; null for the account's own login. */
export type TicketOwner = {
  readonly accountId: number
  readonly publicId: string
  readonly email: string
  readonly isConfirmed: boolean
  readonly memberId: number | null
}

const maxListed = 100

export const unknownTicket = () => new RefusedError(refuse('not_found', {}, 'Message not found.'))

/** Returns the text of a message without surrounding space. @throws FieldsError if it is empty or too long */
export function readMessage(typed: string): string {
  const text = typed.trim()
  const tooLong = text.length > maxTicketLength ? `A message can have up to ${maxTicketLength.toLocaleString('en-GB')} characters.` : null
  refuseFaults({ text: text === '' ? 'Enter a message.' : tooLong })
  return text
}

/** Returns the topic that was chosen. @throws FieldsError if there is none */
export function readTopic(typed: string | null): TicketTopic {
  const topic = ticketTopicNames.find((name) => name === typed)
  if (!topic) throw new FieldsError({ topic: 'Choose a topic.' })
  return topic
}

/** Notifies the administrators of a customer's message. */
async function notify(tx: Transaction, owner: TicketOwner, ticket: string, topic: TicketTopic, text: string): Promise<void> {
  await enqueueEmails(tx, 'ticket-message', await administratorEmails(tx), { ticket, topic, email: owner.email, isConfirmed: owner.isConfirmed, text })
}

/** Opens a ticket with its first message and notifies the administrators. @throws FieldsError */
export async function openTicket(db: Database, owner: TicketOwner, typed: { topic: string | null; text: string }): Promise<{ id: string }> {
  const { accountId, memberId } = owner
  const topic = readTopic(typed.topic)
  const text = readMessage(typed.text)
  const [id, at] = [newPublicId('tic'), new Date(clock.now())]
  await inTransaction(db, async (tx) => {
    const data = { publicId: id, accountId, topic, createdAt: at, changedAt: at, messages: { create: { text, memberId, createdAt: at } } }
    await tx.ticket.create({ data, select: { id: true } })
    await notify(tx, owner, id, topic, text)
  })
  return { id }
}

/** Adds a customer's message to one of their tickets, which reopens it, and notifies the administrators. @throws FieldsError, RefusedError not_found */
export async function addMessage(db: Database, owner: TicketOwner, id: string, typed: string): Promise<void> {
  const text = readMessage(typed)
  const at = new Date(clock.now())
  await inTransaction(db, async (tx) => {
    const [ticket] = await tx.ticket.updateManyAndReturn({
      where: { publicId: id, accountId: owner.accountId },
      data: { state: 'open', changedAt: at },
      select: { id: true, topic: true },
    })
    if (!ticket) throw unknownTicket()
    await tx.ticketMessage.create({ data: { ticketId: ticket.id, text, memberId: owner.memberId, createdAt: at }, select: { id: true } })
    await notify(tx, owner, id, ticket.topic, text)
  })
}

/** Returns an account's 100 newest tickets. */
export async function ownTickets(db: Database, accountId: number) {
  const select = { publicId: true, topic: true, state: true, createdAt: true, changedAt: true }
  const tickets = await db.ticket.findMany({ where: { accountId }, orderBy: { id: 'desc' }, take: maxListed, select })
  return tickets.map(({ publicId: id, ...ticket }) => ({ id, ...ticket }))
}

/**
 * Returns a ticket with its messages, oldest first. `writer` names the person who wrote a message; null for support, because customers don't see which
 * administrator answered. @throws RefusedError not_found
 */
export async function ownTicket(db: Database, accountId: number, id: string, readerId: number | null) {
  const ticket = await db.ticket.findUnique({
    where: { publicId: id, accountId },
    select: {
      topic: true,
      state: true,
      createdAt: true,
      messages: { orderBy: { id: 'desc' }, take: maxListed, select: { id: true, text: true, createdAt: true, adminId: true, memberId: true } },
    },
  })
  if (!ticket) throw unknownTicket()
  const toWriter = await readMemberLabels(
    db,
    accountId,
    ticket.messages.map(({ memberId }) => memberId ?? accountId),
  )
  const messages = ticket.messages.reverse().map(({ adminId, memberId, id: messageId, ...message }) => ({
    ...message,
    id: String(messageId),
    isOurs: adminId !== null,
    writer: adminId === null ? toWriter(memberId ?? accountId) : null,
    isYours: adminId === null && (memberId ?? accountId) === readerId,
  }))
  return { id, ...ticket, messages }
}
