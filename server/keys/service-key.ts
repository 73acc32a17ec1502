import { createHmac } from 'node:crypto'
import type { Pool } from 'pg'
import { scopeNames } from '../contract/scopes.ts'
import { newPublicId } from '../ids.ts'
import { hashKey, keyHint, sealKey } from './key-format.ts'
import { insertServiceKey } from './service-key.store.ts'

/**
 * A test key of the service itself, worked out from its secret: every process knows it, and it is kept nowhere. `purpose` tells keys of one service
 * apart.
 */
export function serviceKey(secret: string, purpose: string): string {
  const digest = createHmac('sha256', secret).update(`service key: ${purpose}`).digest('hex')
  return sealKey(`svc_test_${digest.slice(0, 30)}`)
}

type Keeping = { readonly accountId: number; readonly name: string; readonly perMinute: number }

/** Writes a key of the service into an account, unless it is there: with all scopes, and a limit of its own a minute. */
export function keepServiceKey(pool: Pool, key: string, { accountId, name, perMinute }: Keeping): Promise<void> {
  const made = { publicId: newPublicId('key'), hash: hashKey(key), hint: keyHint(key), scopes: scopeNames }
  return insertServiceKey(pool, { ...made, accountId, name, minuteLimit: perMinute })
}
