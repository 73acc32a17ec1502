import { type OutboxLetter, outboxOf } from '../mail/mail.ts'
import type { AuthRoom } from './auth-room.ts'

/** The letters of a service without a mail server; null where they are nobody's business: in production, and where there is a mail server. */
export async function shownOutbox(room: AuthRoom): Promise<OutboxLetter[] | null> {
  return room.showsOutbox ? outboxOf(room.pool) : null
}
