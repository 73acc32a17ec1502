import { decrypt, encrypt } from '#server/accounts/encryption.ts'
import { invalid, RefusedError, refuse } from '#server/api/contract/errors.ts'
import { clock } from '#server/clock.ts'
import { tryLockName } from '#server/db/locks.sql.ts'
import type { Database } from '#server/db/prisma.ts'
import { inJoinedTransaction } from '#server/db/transaction.ts'

/** Lifetime of an Idempotency-Key; the same as for calls that cost credits. */
const lifetimeMs = 600_000
const retryAfterSeconds = 1
const purpose = 'action replay'

/** `request` is the SHA-256 of the endpoint, its parameters and its body, in hex. */
export type ActionKey = { readonly accountId: number; readonly key: string; readonly request: string }

export type ActionResult = { readonly data: unknown; readonly isReplay: boolean }

const conflict = () => invalid('This Idempotency-Key was used for a different request in the last 10 minutes. Use a new key for a new request.')

const running = () =>
  new RefusedError(refuse('rate_limited', { retryAfter: retryAfterSeconds }, 'The first call with this Idempotency-Key is still running. Retry in 1 second.'))

/**
 * Runs an action at most once per Idempotency-Key. The result is stored in the transaction of the action, so that a rejected or interrupted action has no effect
 * and can be repeated with the same key. It is encrypted, because it can contain a signing secret.
 */
export class ActionReplays {
  readonly #db: Database
  readonly #secret: string

  constructor(db: Database, secret: string) {
    this.#db = db
    this.#secret = secret
  }

  /**
   * Runs `work`, with the database to use, or returns the result of the earlier call with the same key. @throws RefusedError if the key belongs to a different
   * request or the first call is still running; or the error of `work`
   */
  run(action: ActionKey, work: (db: Database) => Promise<unknown>): Promise<ActionResult> {
    const name = `${action.accountId} ${action.key}`
    return inJoinedTransaction(this.#db, async (db) => {
      if (!(await tryLockName(db, `${purpose} ${name}`))) throw running()
      const answer = await findAnswer(db, action)
      if (answer !== null) return { data: JSON.parse(decrypt(this.#secret, purpose, name, answer)), isReplay: true }
      const data = await work(db)
      await storeAnswer(db, action, encrypt(this.#secret, purpose, name, JSON.stringify(data)))
      return { data, isReplay: false }
    })
  }
}

/** Returns the stored result of a key; null if there is none, or it has expired. @throws RefusedError if the key belongs to a different request */
async function findAnswer(db: Database, { accountId, key, request }: ActionKey): Promise<Buffer | null> {
  const where = { accountId, key, at: { gte: new Date(clock.now() - lifetimeMs) } }
  const found = await db.actionReplay.findFirst({ where, select: { request: true, answer: true } })
  if (found === null) return null
  if (Buffer.from(found.request).toString('hex') !== request) throw conflict()
  return Buffer.from(found.answer)
}

/** Stores the result of a key, in place of an expired one. */
async function storeAnswer(db: Database, { accountId, key, request }: ActionKey, answer: Uint8Array<ArrayBuffer>): Promise<void> {
  const values = { request: Buffer.from(request, 'hex'), at: new Date(clock.now()), answer }
  const where = { accountId_key: { accountId, key } }
  await db.actionReplay.upsert({ where, create: { accountId, key, ...values }, update: values, select: { key: true } })
}

/** Deletes up to `max` expired results. Returns the number deleted. */
export async function deleteActionReplays(db: Database, max: number): Promise<number> {
  return (await db.actionReplay.deleteMany({ where: { at: { lt: new Date(clock.now() - lifetimeMs) } }, limit: max })).count
}
