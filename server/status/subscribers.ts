import { readEmail } from '#server/accounts/email-address.ts'
import { attempt, limits, ThrottledError } from '#server/accounts/throttle.ts'
import type { Incident } from '#server/api/contract/incidents.ts'
import type { Asker, AuthContext } from '#server/auth/auth-context.ts'
import { clock } from '#server/clock.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { enqueueEmail, enqueueEmails } from '#server/email/email.ts'
import { newPublicId } from '#server/ids.ts'
import { getNetwork, getSite } from '#server/keys/address-list.ts'

/** Maximum number of subscribers that receive an update. */
const maxSubscribers = 20_000

const dayMs = 86_400_000

/** Time after which an address that was not confirmed is deleted. */
const pendingMs = 7 * dayMs

/**
 * Asks the owner of an address to confirm a subscription. If the address is already confirmed, sends nothing but returns the same result, so that the response
 * reveals nothing. Returns `sent`, or why the request was refused: an invalid address, or too many requests.
 */
export async function requestSubscription({ pool }: Pick<AuthContext, 'pool'>, { address }: Asker, typedEmail: string): Promise<'sent' | 'address' | 'wait'> {
  const email = readEmail(typedEmail)
  if (email === null) return 'address'
  try {
    // The email address comes last, so that a network over its limit can't use up the limit of other people's addresses.
    await attempt(pool, [limits.statusNetwork, getNetwork(address)], [limits.emailsOfSite, getSite(address)], [limits.statusAddress, email])
  } catch (error) {
    if (error instanceof ThrottledError) return 'wait'
    throw error
  }
  await pool.statusSubscriber.createMany({ data: [{ publicId: newPublicId('sub'), email, createdAt: new Date(clock.now()) }], skipDuplicates: true })
  await enqueueEmail(pool, 'status-confirm', email, {})
  return 'sent'
}

/** Returns a subscriber by the id in their links; null if there is none. Anything else, which might contain NUL, never reaches the database. */
export async function findSubscriber(db: Database, id: string) {
  if (!/^sub_[0-9A-Za-z]{16}$/.test(id)) return null
  return db.statusSubscriber.findUnique({ where: { publicId: id }, select: { email: true, confirmedAt: true } })
}

/** Starts a subscription. Returns false if its link is no longer valid. */
export async function confirmSubscription(db: Database, id: string): Promise<boolean> {
  if ((await findSubscriber(db, id)) === null) return false
  await db.statusSubscriber.updateMany({ where: { publicId: id, confirmedAt: null }, data: { confirmedAt: new Date(clock.now()) } })
  return true
}

/** Ends a subscription and deletes its address. */
export async function endSubscription(db: Database, id: string): Promise<void> {
  if ((await findSubscriber(db, id)) !== null) await db.statusSubscriber.deleteMany({ where: { publicId: id } })
}

const confirmed = { confirmedAt: { not: null } } as const

/** Counts the subscribers that an update is emailed to. */
export const countSubscribers = async (db: Database): Promise<number> => Math.min(await db.statusSubscriber.count({ where: confirmed }), maxSubscribers)

/** Enqueues the latest update of an incident for all subscribers, in the transaction that publishes it. */
export async function notifySubscribers(tx: Transaction, { id, title, updates: [update] }: Incident): Promise<void> {
  if (update === undefined) return
  const subscribers = await tx.statusSubscriber.findMany({ where: confirmed, orderBy: { id: 'asc' }, take: maxSubscribers, select: { email: true } })
  const { state, body, at } = update
  if (subscribers.length === 0) return
  await enqueueEmails(
    tx,
    'status-update',
    subscribers.map(({ email }) => email),
    { incident: id, title, state, body, at: at.toISOString() },
  )
}

/** Deletes addresses that were not confirmed within a week. */
export async function forgetPendingSubscriptions(db: Database): Promise<void> {
  await db.statusSubscriber.deleteMany({ where: { confirmedAt: null, createdAt: { lt: new Date(clock.now() - pendingMs) } }, limit: 10_000 })
}
