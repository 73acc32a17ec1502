import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AuthContext } from '#server/auth/auth-context.ts'
import { getOutbox, type OutboxEmail } from '#server/email/email.ts'

/**
 * Returns the key in the link to /dev/mail that is printed at each start. The key is derived from the service secret, so every process knows it, and a browser
 * keeps its access when the service restarts.
 */
const outboxKey = (secret: string): string => createHmac('sha256', secret).update('svc key of /dev/mail').digest('base64url')

export const outboxLink = (publicUrl: string, secret: string): string => `${publicUrl}/dev/mail/open?key=${outboxKey(secret)}`

export function isOutboxKey(secret: string, given: string): boolean {
  const [ours, theirs] = [Buffer.from(outboxKey(secret)), Buffer.from(given)]
  return ours.length === theirs.length && timingSafeEqual(ours, theirs)
}

/**
 * For a service without SMTP, returns its emails to a browser on this machine that has opened the link printed at start-up. Returns 'locked' if the browser has
 * not opened the link: being local is not enough, because behind a proxy without forwarding headers, every request looks local. Returns null in production,
 * with SMTP, and for requests from other machines.
 */
export async function shownOutbox(deps: AuthContext, isLocal: boolean, hasOpenedLink: boolean): Promise<readonly OutboxEmail[] | 'locked' | null> {
  if (!deps.showsOutbox || !isLocal) return null
  return hasOpenedLink ? getOutbox(deps.pool) : 'locked'
}
