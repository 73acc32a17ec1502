import { type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import { accountRecipients } from '#server/accounts/recipients.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import type { TicketState } from '#server/api/contract/support.ts'
import { clock } from '#server/clock.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { enqueueEmails } from '#server/email/email.ts'
import { newPublicId } from '#server/ids.ts'
import { ownTicket, readMessage, readTopic, unknownTicket } from './tickets.ts'

const pageSize = 25

const customer = { select: { publicId: true, email: true, name: true, emailVerifiedAt: true, closedAt: true } } as const

/** Returns a page of 25 tickets in one state: open ones longest wait first, others newest first. `next` is the id to pass as `after`, or null. */
export async function ticketQueue(db: Database, state: TicketState, after: string | null) {
  const order = state === 'open' ? 'asc' : 'desc'
  const found = await db.ticket.findMany({
    where: { state },
    orderBy: [{ changedAt: order }, { id: order }],
    take: pageSize + 1,
    ...(after === null ? {} : { cursor: { publicId: after }, skip: 1 }),
    select: { publicId: true, topic: true, state: true, createdAt: true, changedAt: true, account: customer },
  })
  const tickets = found.slice(0, pageSize).map(({ publicId: id, ...ticket }) => ({ id, ...ticket }))
  return { tickets, next: found.length > pageSize ? (tickets.at(-1)?.id ?? null) : null }
}

/** Returns the number of tickets waiting for a reply, and the time since which the oldest has been waiting. */
export async function countOpenTickets(db: Database): Promise<{ count: number; oldest: Date | null }> {
  const { _count: count, _min: oldest } = await db.ticket.aggregate({ where: { state: 'open' }, _count: true, _min: { changedAt: true } })
  return { count, oldest: oldest.changedAt }
}

/** Returns a ticket with its messages and its customer. @throws RefusedError not_found */
export async function ticketForAdmin(db: Database, id: string) {
  const found = await db.ticket.findUnique({ where: { publicId: id }, select: { accountId: true, account: customer } })
  if (!found) throw unknownTicket()
  return { ...(await ownTicket(db, found.accountId, id, null)), account: found.account }
}

/** Moves a ticket to another state. @throws RefusedError not_found */
async function moveTicket(tx: Transaction, by: AdminActor, id: string, state: 'answered' | 'closed') {
  const before = await tx.ticket.findUnique({ where: { publicId: id }, select: { state: true } })
  const data = { state, changedAt: new Date(clock.now()) }
  // Of two administrators who close a ticket at once, the second gets an error.
  const where = { publicId: id, ...(state === 'closed' ? { state: { not: 'closed' as const } } : {}) }
  const account = { select: { id: true, email: true, emailVerifiedAt: true, closedAt: true } }
  const [ticket] = await tx.ticket.updateManyAndReturn({ where, data, select: { id: true, account } })
  if (!before) throw unknownTicket()
  if (!ticket) throw new FieldsError({ form: 'This message is already closed. Reload the page.' })
  const action = state === 'closed' ? 'ticket.close' : 'ticket.answer'
  await writeAudit(tx, { ...by, accountId: ticket.account.id, action, subject: id, before, after: { state } })
  return ticket
}

/** Answers a ticket, and emails the answer to the customer if their address is confirmed. @throws FieldsError, RefusedError not_found */
export async function answerTicket(db: Database, by: AdminActor, id: string, typed: string): Promise<void> {
  const text = readMessage(typed)
  await inTransaction(db, async (tx) => {
    const { id: ticketId, account } = await moveTicket(tx, by, id, 'answered')
    await tx.ticketMessage.create({ data: { ticketId, adminId: by.adminId, text, createdAt: new Date(clock.now()) }, select: { id: true } })
    if (account.emailVerifiedAt !== null) await enqueueEmails(tx, 'ticket-answer', await accountRecipients(tx, account.id, 'account'), { ticket: id, text })
  })
}

/**
 * Starts a conversation with a customer: opens an answered ticket, and emails the message if the address is confirmed. The customer can reply to it.
 * @throws FieldsError
 */
export async function writeToCustomer(db: Database, by: AdminActor, accountId: number, typed: { topic: string | null; text: string }): Promise<{ id: string }> {
  const topic = readTopic(typed.topic)
  const text = readMessage(typed.text)
  const [id, at] = [newPublicId('tic'), new Date(clock.now())]
  await inTransaction(db, async (tx) => {
    const { emailVerifiedAt } = await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { emailVerifiedAt: true } })
    const messages = { create: { text, adminId: by.adminId, createdAt: at } }
    await tx.ticket.create({ data: { publicId: id, accountId, topic, state: 'answered', createdAt: at, changedAt: at, messages }, select: { id: true } })
    await writeAudit(tx, { ...by, accountId, action: 'ticket.start', subject: id, before: null, after: { topic } })
    if (emailVerifiedAt !== null)
      await enqueueEmails(tx, 'ticket-answer', await accountRecipients(tx, accountId, 'account'), { ticket: id, text, isFirst: true })
  })
  return { id }
}

/** Closes a ticket without an answer. @throws FieldsError if it is closed; RefusedError not_found */
export async function closeTicket(db: Database, by: AdminActor, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await moveTicket(tx, by, id, 'closed')
  })
}
