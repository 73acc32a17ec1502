import { switchWebhooks } from '#server/webhooks/access.ts'
import type { ApiAnswer, Caller, Fixture } from './fixture.ts'

/** Settings of a webhook endpoint, with a receiver that doesn't exist. */
export const webhookSettings = (more: object = {}) => ({ url: 'https://receiver.example.com/hook', types: ['rate.changed'], ...more })

/** Returns helpers that manage webhooks over the API. */
export function webhookCalls(fixture: Fixture) {
  /** Creates an account with webhooks, and a key with the scope account:manage. Raises the limits of the key, unless the test is about limits. */
  async function manager(mode: 'live' | 'test' = 'live', areLimitsRaised = true): Promise<Caller> {
    const caller = await fixture.live({}, { mode, scopes: ['account:manage'] })
    // Tests make more than ten calls a minute.
    if (areLimitsRaised)
      await fixture.sql('UPDATE key_meter m SET own_minute_limit = 1000, version = m.version + 1 FROM api_key k WHERE k.id = m.key_id AND k.public_id = $1', [
        caller.keyId,
      ])
    await switchWebhooks({ pool: fixture.pool }, caller.account.email, true)
    return caller
  }

  const send = (caller: Caller, method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<ApiAnswer> =>
    fixture.send(method, path, caller.key, { ...(body ? { 'content-type': 'application/json' } : {}), ...headers }, body && JSON.stringify(body))

  const create = (caller: Caller, more: object = {}): Promise<ApiAnswer> => send(caller, 'POST', '/webhooks', webhookSettings(more))

  /** Returns the audit entries about webhook endpoints, oldest first. */
  const audited = ({ account }: Caller) =>
    fixture.sql<{ actor: string; action: string; subject: string }>(
      "SELECT actor, action, subject FROM audit_entry WHERE account_id = $1 AND action LIKE 'webhook.%' ORDER BY id",
      [account.id],
    )

  return { manager, send, create, audited }
}
