import { getOutbox, type OutboxEmail } from '#server/email/email.ts'
import type { AuthContext } from './auth-context.ts'

/**
 * * Returns the emails of a service without SMTP for a browser on this machine that opened the link printed at start. Returns 'locked' if it has not opened the
 * link, because behind a proxy without forwarding headers, every request looks local. Returns null in production, with SMTP, and for requests from other
 * machines.
 */
export async function shownOutbox(deps: AuthContext, isLocal: boolean, hasOpenedLink: boolean): Promise<readonly OutboxEmail[] | 'locked' | null> {
  if (!deps.showsOutbox || !isLocal) return null
  return hasOpenedLink ? getOutbox(deps.pool) : 'locked'
}
