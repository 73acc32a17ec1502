import type { Caller, Fixture } from '../../v1/support/fixture.ts'

/** Creates a test key with all scopes and no rate limit, because ten calls a minute are not enough. */
export async function busyTestKey(fixture: Fixture): Promise<Caller> {
  const caller = await fixture.test()
  await fixture.sql('UPDATE key_meter m SET own_minute_limit = 1000000 FROM api_key k WHERE k.id = m.key_id AND k.public_id = $1', [caller.keyId])
  return caller
}
