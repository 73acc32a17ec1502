import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Returns the key in the link to /dev/mail that is printed at each start. It is derived from the secret of the service, so every process knows it and a
 * browser keeps its access when the service restarts.
 */
const outboxKey = (secret: string): string => createHmac('sha256', secret).update('svc key of /dev/mail').digest('base64url')

export const outboxLink = (publicUrl: string, secret: string): string => `${publicUrl}/dev/mail/open?key=${outboxKey(secret)}`

export function isOutboxKey(secret: string, given: string): boolean {
  const [ours, theirs] = [Buffer.from(outboxKey(secret)), Buffer.from(given)]
  return ours.length === theirs.length && timingSafeEqual(ours, theirs)
}
