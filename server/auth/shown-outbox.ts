import { type OutboxLetter, outboxOf } from '#server/email/mail.ts'
import type { AuthRoom } from './auth-room.ts'

/** Returns the emails of a service without SMTP. Null in production, with SMTP, and for requests from other machines. */
export async function shownOutbox(room: AuthRoom, isLocal: boolean): Promise<OutboxLetter[] | null> {
  return room.showsOutbox && isLocal ? outboxOf(room.pool) : null
}
