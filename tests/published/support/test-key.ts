import type { KeyOptions } from '../../support/accounts.ts'
import type { Caller, Fixture } from '../../v1/support/fixture.ts'

/** Creates a test key with all scopes except `account:manage`, unless `options` say otherwise, and no rate limit, because ten calls a minute are not enough. */
export async function busyTestKey(fixture: Fixture, options: KeyOptions = {}): Promise<Caller> {
  const caller = await fixture.test({}, options)
  await fixture.sql('UPDATE key_meter m SET own_minute_limit = 1000000 FROM api_key k WHERE k.id = m.key_id AND k.public_id = $1', [caller.keyId])
  return caller
}
