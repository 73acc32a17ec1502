import type { PortalFixture } from './portal-fixture.ts'
import { getData, type Page, type Visitor } from './visitor.ts'

type Typed = { mode?: string; name?: string; scopes?: string[]; addresses?: string; cap?: string; expires?: string }

const form = { mode: 'live', name: 'A key', scopes: ['rates:read'], addresses: '', cap: '', expires: '' }

/** Returns the key that a form created. */
export const keyOn = ({ result }: Page): string => result.key

/** Creates a key; defaults to a live key that can read rates. */
export const createKey = (visitor: Visitor, typed: Typed = {}) => visitor.call('keys.create', 'mutation', { ...form, ...typed })

export const listKeys = async (visitor: Visitor) => getData(await visitor.call('keys.list', 'query'))

/**
 * Adds test keys to an account, named `name` plus a number and created two hours ago. `revoked` is their revocation time in minutes from now: a positive value
 * simulates a database clock that was set back after the revocation, and null creates active keys.
 */
export async function addTestKeys(fixture: PortalFixture, accountId: number, count: number, name: string, revoked: number | null = null): Promise<void> {
  await fixture.sql(
    `WITH k AS (
       INSERT INTO api_key (public_id, account_id, hash, mode, name, hint, scopes, created_at, revoked_at)
       SELECT 'key_' || $3 || n, $1, sha256(($3 || n)::bytea), 'test', $3 || ' ' || n || '.', 'abcd', '{rates:read}', now() - interval '2 hours', now() + make_interval(mins => $4)
       FROM generate_series(1, $2::int) n RETURNING id)
     INSERT INTO key_meter (key_id, account_id, live, ends_at) SELECT id, $1, false, CASE WHEN $4::int IS NOT NULL THEN 'epoch'::timestamptz END FROM k`,
    [accountId, count, name, revoked],
  )
}

/** Helpers to call the API with keys of the test server's accounts. */
export function callsAt(fixture: PortalFixture) {
  const rates = (key: string) => fetch(`${fixture.origin}/v1/rates?limit=1`, { headers: { authorization: `Bearer ${key}` } })
  return {
    rates,
    getStatus: async (key: string) => (await rates(key)).status,
    errorFor: async (key: string) => ((await (await rates(key)).json()) as { error: string }).error,
  }
}
