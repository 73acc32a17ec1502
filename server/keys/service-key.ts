import { createHmac } from 'node:crypto'
import type { Pool } from 'pg'
import { holdWallets } from '#server/accounts/wallets.ts'
import { scopeNames } from '#server/api/contract/scopes.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newPublicId } from '#server/ids.ts'
import { hashKey, keyHint, sealKey } from './key-format.ts'
import { insertServiceKey, readHolderOfLost, reviveServiceKey } from './service-key.store.ts'

/**
 * A test key of the service itself, worked out from its secret: every process knows it, and it is kept nowhere. `purpose` tells keys of one service
 * apart.
 */
export function serviceKey(secret: string, purpose: string): string {
  const digest = createHmac('sha256', secret).update(`service key: ${purpose}`).digest('hex')
  return sealKey(`svc_test_${digest.slice(0, 30)}`)
}

type Keeping = { readonly accountId: number; readonly name: string; readonly perMinute: number }

/**
 * Writes a key of the service into an account, unless it is there: with all scopes, and a limit of its own a minute. One that was revoked, or whose account
 * was closed, works again, in this account: the same secret makes the same key, so there is no other one to use instead.
 */
export async function keepServiceKey(pool: Pool, key: string, { accountId, name, perMinute }: Keeping): Promise<void> {
  const hash = hashKey(key)
  await insertServiceKey(pool, { publicId: newPublicId('key'), hash, hint: keyHint(key), scopes: scopeNames, accountId, name, minuteLimit: perMinute })
  const holder = await readHolderOfLost(pool, hash)
  if (holder === null) return
  await inTransaction(pool, async (client) => {
    await holdWallets(client, [holder, accountId])
    await reviveServiceKey(client, hash, accountId)
  })
}
