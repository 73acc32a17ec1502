import { createHmac } from 'node:crypto'
import type { Pool } from 'pg'
import { holdWallets } from '#server/accounts/wallets.ts'
import { scopeNames } from '#server/api/contract/scopes.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newPublicId } from '#server/ids.ts'
import { appendChecksum, hashKey, keyHint } from './key-format.ts'
import { insertServiceKey, readHolderOfLost, reviveServiceKey } from './service-key.store.ts'

/** Derives a test key of the service from its secret, so that every process knows it and it is stored nowhere. `purpose` distinguishes the service's keys. */
export function serviceKey(secret: string, purpose: string): string {
  const digest = createHmac('sha256', secret).update(`service key: ${purpose}`).digest('hex')
  return appendChecksum(`svc_test_${digest.slice(0, 30)}`)
}

type ServiceKeyOptions = { readonly accountId: number; readonly name: string; readonly perMinute: number }

/**
 * Stores a service key in an account, with all scopes and its own per-minute limit, if it isn't there yet. Reactivates it in this account if it was revoked or
 * its account closed: the same secret always derives the same key, so there is no other key to use.
 */
export async function keepServiceKey(pool: Pool, key: string, { accountId, name, perMinute }: ServiceKeyOptions): Promise<void> {
  const hash = hashKey(key)
  await insertServiceKey(pool, { publicId: newPublicId('key'), hash, hint: keyHint(key), scopes: scopeNames, accountId, name, minuteLimit: perMinute })
  const holder = await readHolderOfLost(pool, hash)
  if (holder === null) return
  await inTransaction(pool, async (client) => {
    await holdWallets(client, [holder, accountId])
    await reviveServiceKey(client, hash, accountId)
  })
}
