import { changeLimits } from '#server/accounts/accounts.ts'
import { scopeNames } from '#server/api/contract/access.ts'
import { openAccount } from '#server/billing/ledger.ts'
import type { Database } from '#server/db/prisma.ts'
import { createKey } from '#server/keys/keys.ts'

const plenty = 1_000_000_000_000
const noLimit = 1_000_000_000

/** Creates a live key for a new Enterprise account, with limits too high to matter and ample credits. */
async function makeKey(pool: Database, email: string): Promise<string> {
  const request = { email, password: null, plan: 'enterprise' as const, isAdmin: false, isApproved: true, isVerified: true }
  const { id } = await openAccount(pool, request, { kind: 'adjustment', credits: plenty })
  await changeLimits(pool, email, { perMinute: noLimit, perDay: noLimit })
  return (await createKey(pool, { accountId: id, mode: 'live', scopes: scopeNames, name: 'Benchmark' })).key
}

/** Creates live keys, each for a separate account. */
export async function makeKeys(pool: Database, name: string, count: number): Promise<string[]> {
  const keys: string[] = []
  for (let index = 0; index < count; index++) keys.push(await makeKey(pool, `${name}-${index}@bench.test`))
  return keys
}
