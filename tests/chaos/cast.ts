/** Accounts and keys for a round, with one kind for each rule to check. */

import { changeLimits } from '#server/accounts/accounts.ts'
import { setCap } from '#server/billing/billing-overview.ts'
import type { Database } from '#server/db/prisma.ts'
import { makeAccount, makeKey, type TestAccount } from '../support/accounts.ts'

/**
 * `poor`: a balance that is always too low. `capped`: a large balance, and a spend cap on the key or the account. `limited`: a large balance, and low limits
 * per minute and day.
 * `repeater`: sends every call with a shared Idempotency-Key. `doomed`: revoked during the round. `sample`: a test key.
 */
export type Part = 'poor' | 'capped' | 'limited' | 'repeater' | 'doomed' | 'sample'

export type CastKey = {
  readonly part: Part
  readonly account: TestAccount
  readonly id: string
  readonly keyId: number
  readonly key: string
  readonly cap: number | null
  /** Time at which the revocation was confirmed, from `performance.now()` in the test process. */
  revokedAt: number | null
}

export type CastAccount = { readonly account: TestAccount; readonly limits: { perMinute: number; perDay: number } | null; readonly cap: number | null }

export type Cast = {
  readonly accounts: readonly CastAccount[]
  readonly keys: readonly CastKey[]
  readonly products: readonly string[]
  readonly providers: readonly string[]
}

const plenty = 1_000_000
const few = { perMinute: 45, perDay: 70 }

class Casting {
  readonly accounts: CastAccount[] = []
  readonly keys: CastKey[] = []
  private readonly pool: Database

  constructor(pool: Database) {
    this.pool = pool
  }

  async account(credits: number, limits: CastAccount['limits'] = null, cap: number | null = null): Promise<TestAccount> {
    const account = await makeAccount(this.pool, { credits })
    await changeLimits(this.pool, account.email, limits ?? { perMinute: plenty, perDay: plenty })
    if (cap !== null) await setCap({ pool: this.pool }, account.id, cap, { actor: 'operator' })
    this.accounts.push({ account, limits, cap })
    return account
  }

  async key(account: TestAccount, part: Part, cap: number | null = null): Promise<void> {
    const { id, key } = await makeKey(this.pool, account, { mode: part === 'sample' ? 'test' : 'live', spendCapCredits: cap })
    const { rows } = await this.pool.query<{ id: string }>('SELECT id FROM api_key WHERE public_id = $1', [id])
    this.keys.push({ part, account, id, keyId: Number(rows[0]?.id), key, cap, revokedAt: null })
  }
}

export async function makeCast(pool: Database): Promise<Cast> {
  const casting = new Casting(pool)
  for (let count = 0; count < 6; count++) {
    const poor = await casting.account(40)
    await casting.key(poor, 'poor')
    await casting.key(poor, 'poor')
    await casting.key(poor, 'sample')
  }
  const rich = await casting.account(plenty)
  for (const cap of [30, 75, 200]) await casting.key(rich, 'capped', cap)
  const thrifty = await casting.account(plenty, null, 120)
  for (const cap of [null, null, 50]) await casting.key(thrifty, 'capped', cap)
  for (let count = 0; count < 12; count++) await casting.key(rich, 'doomed')
  for (let count = 0; count < 2; count++) {
    const limited = await casting.account(plenty, few)
    await casting.key(limited, 'limited')
    await casting.key(limited, 'limited')
  }
  for (let count = 0; count < 2; count++) await casting.key(await casting.account(plenty), 'repeater')
  const { rows: products } = await pool.query<{ name: string }>("SELECT source_key AS name FROM product WHERE dataset = 'live' ORDER BY 1 LIMIT 20")
  const { rows: providers } = await pool.query<{ name: string }>("SELECT slug AS name FROM provider WHERE dataset = 'live' AND active ORDER BY 1 LIMIT 10")
  return { accounts: casting.accounts, keys: casting.keys, products: products.map(({ name }) => name), providers: providers.map(({ name }) => name) }
}
