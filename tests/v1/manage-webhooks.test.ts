import { expect, test } from 'vitest'
import { switchWebhooks } from '#server/webhooks/access.ts'
import { cites, verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { onEachMount } from './support/fixture.ts'
import { minuteUsed, setMinuteUsed } from './support/operator.ts'
import { webhookCalls, webhookSettings } from './support/webhook-calls.ts'

cites('webhooks/managed-by-api', 'webhooks/managed-by-mode')

const { url } = webhookSettings()

onEachMount((fixture) => {
  const { manager, send, create, audited } = webhookCalls(fixture)

  verifies('webhooks/created-by-api', async () => {
    const caller = await manager()
    const made = await create(caller, { description: 'Mine', minChange: '0.05', providers: ['harrow'] })
    expect([made.status, made.body.meta.creditsCharged]).toEqual([200, 0])
    const { secret, ...webhook } = made.body.data
    expect(secret).toMatch(/^whsec_/)
    expect(webhook).toMatchObject({ mode: 'live', url, description: 'Mine', types: ['rate.changed'], providers: ['harrow'], minChange: '0.05' })
    // The secret is only in the response to the call that created it.
    const read = [await send(caller, 'GET', '/webhooks'), await send(caller, 'GET', `/webhooks/${webhook.id}`)]
    expect(read.map(({ body }) => body.data)).toEqual([[webhook], webhook])
    const changed = await send(caller, 'PATCH', `/webhooks/${webhook.id}`, { types: ['product.added'], minChange: null })
    expect(changed.body.data).toEqual({ ...webhook, types: ['product.added'], minChange: null })
    const rotated = (await send(caller, 'POST', `/webhooks/${webhook.id}/rotate-secret`)).body.data
    expect(rotated.secret).not.toBe(secret)
    expect((await send(caller, 'POST', `/webhooks/${webhook.id}/pause`)).body.data.state).toBe('paused')
    expect((await send(caller, 'POST', `/webhooks/${webhook.id}/resume`)).body.data).toMatchObject({
      state: 'active',
      oldSecretEndsAt: rotated.oldSecretEndsAt,
    })
    expect((await send(caller, 'DELETE', `/webhooks/${webhook.id}`)).body.data).toEqual({ id: webhook.id, deleted: true })
    expectError(await send(caller, 'GET', `/webhooks/${webhook.id}`), 404, 'not_found')
    // Every change has an audit entry that names the key.
    const actions = ['create', 'update', 'rotate', 'pause', 'resume', 'delete'].map((action) => ({
      actor: caller.keyId,
      action: `webhook.${action}`,
      subject: webhook.id,
    }))
    expect(await audited(caller)).toEqual(actions)
    expect(await fixture.balance(caller.account)).toBe(100)
  })

  verifies('webhooks/api-needs-manage-scope', async () => {
    const caller = await manager()
    const { id } = (await create(caller)).body.data
    const other = await fixture.getKey(caller.account)
    for (const [method, path, body] of [
      ['GET', '/webhooks', undefined],
      ['POST', '/webhooks', webhookSettings()],
      ['DELETE', `/webhooks/${id}`, undefined],
      ['GET', '/webhook-deliveries', undefined],
    ] as const)
      expectError(await send(other, method, path, body), 403, 'insufficient_scope', { required: 'account:manage' })
    expect(await audited(caller)).toHaveLength(1)
  })

  verifies('webhooks/api-hides-other-accounts', async () => {
    const [owner, other, tester] = [await manager(), await manager(), await manager('test')]
    const { id } = (await create(owner)).body.data
    const { delivery } = (await send(owner, 'POST', `/webhooks/${id}/test`, {})).body.data
    const sameAccount = await fixture.getKey(owner.account, { mode: 'test', scopes: ['account:manage'] })
    for (const caller of [other, tester, sameAccount]) {
      expect((await send(caller, 'GET', '/webhooks')).body.data).toEqual([])
      expect((await send(caller, 'GET', '/webhook-deliveries')).body.data).toEqual([])
      for (const [method, path, body] of [
        ['GET', `/webhooks/${id}`, undefined],
        ['PATCH', `/webhooks/${id}`, { types: ['product.added'] }],
        ['POST', `/webhooks/${id}/rotate-secret`, undefined],
        ['GET', `/webhook-deliveries/${delivery}`, undefined],
        ['POST', `/webhook-deliveries/${delivery}/redeliver`, undefined],
        ['DELETE', `/webhooks/${id}`, undefined],
      ] as const)
        expectError(await send(caller, method, path, body), 404, 'not_found')
      expectError(await send(caller, 'GET', `/webhook-deliveries?webhook=${id}`), 404, 'not_found')
    }
    expect((await send(owner, 'GET', `/webhooks/${id}`)).body.data).toMatchObject({ types: ['rate.changed'], oldSecretEndsAt: null })
  })

  test('a test key creates test endpoints and lists only these', async () => {
    const tester = await manager('test')
    const { id, mode } = (await create(tester)).body.data
    expect(mode).toBe('test')
    expect((await send(tester, 'GET', '/webhooks')).body.data.map((webhook: { id: string }) => webhook.id)).toEqual([id])
    expect((await send(tester, 'GET', '/webhooks')).headers.get('x-svc-mode')).toBe('test')
  })

  verifies('webhooks/api-body-checked', async () => {
    const caller = await manager()
    const message = async (body: object, more: Record<string, string> = {}) => {
      const answer = await send(caller, 'POST', '/webhooks', body, more)
      expectError(answer, 400, 'invalid_request')
      return answer.body.message
    }
    expect(await message({ types: ['rate.changed'] })).toContain('"url" is missing in the body.')
    expect(await message(webhookSettings({ type: 'x' }))).toContain('Did you mean "types"?')
    expect(await message(webhookSettings({ types: ['rate.change'] }))).toContain('"types[0]" in the body must be one of: rate.changed')
    expect(await message(webhookSettings({ types: [] }))).toContain('"types" in the body: Choose at least one event.')
    expect(await message(webhookSettings({ minChange: '0' }))).toContain('"minChange" in the body')
    expect(await message(webhookSettings({ description: 'a\0b' }))).toContain("can't contain NUL")
    expect(await message(webhookSettings({ url: 'ftp://example.com' }))).toContain('"url":')
    expect(await message([] as unknown as object)).toContain('must be a JSON object')
    expect(await message(webhookSettings({ description: 'x'.repeat(70_000) }))).toContain('must not exceed 65536 bytes')
    expect(await message(webhookSettings(), { 'content-type': 'application/x-www-form-urlencoded' })).toContain('Content-Type: application/json')
    expect(await message(webhookSettings(), { 'content-encoding': 'gzip' })).toContain('uncompressed')
    const broken = await fixture.send('POST', '/webhooks', caller.key, { 'content-type': 'application/json' }, '{"url":')
    expectError(broken, 400, 'invalid_request')
    expectError(await send(caller, 'POST', '/webhooks?url=x', webhookSettings()), 400, 'invalid_request')
    expect(await audited(caller)).toEqual([])
  })

  verifies('webhooks/api-respects-limits', async () => {
    const caller = await manager()
    const { id } = (await create(caller)).body.data
    const used = await minuteUsed(fixture, caller)
    await send(caller, 'POST', `/webhooks/${id}/pause`)
    expect(await minuteUsed(fixture, caller)).toBe(used + 1)
    await setMinuteUsed(fixture, caller.keyId, 1_000)
    const over = await send(caller, 'DELETE', `/webhooks/${id}`)
    expect([over.status, over.body.error]).toEqual([429, 'rate_limited'])
    await setMinuteUsed(fixture, caller.keyId, 0)
    expect((await send(caller, 'GET', `/webhooks/${id}`)).body.data.state).toBe('paused')
    // Each call is logged once, with the status of its response.
    expectError(await send(caller, 'DELETE', '/webhooks/whe_doesnotexist'), 404, 'not_found')
    const logged = await fixture.sql<{ endpoint: number; status: number; error: number; credits: number }>(
      'SELECT endpoint, status, error, credits FROM request_log WHERE account_id = $1 ORDER BY id',
      [caller.account.id],
    )
    expect(logged).toEqual([
      { endpoint: 62, status: 200, error: 0, credits: 0 },
      { endpoint: 67, status: 200, error: 0, credits: 0 },
      { endpoint: 65, status: 429, error: 16, credits: 0 },
      { endpoint: 63, status: 200, error: 0, credits: 0 },
      { endpoint: 65, status: 404, error: 15, credits: 0 },
    ])
  })

  verifies('webhooks/api-obeys-revocation', async () => {
    const caller = await manager()
    const { id } = (await create(caller)).body.data
    await fixture.sql(
      `WITH k AS (UPDATE api_key SET revoked_at = now() WHERE public_id = $1 RETURNING id)
       UPDATE key_meter m SET ends_at = 'epoch', version = version + 1 FROM k WHERE k.id = m.key_id`,
      [caller.keyId],
    )
    expectError(await send(caller, 'DELETE', `/webhooks/${id}`), 403, 'key_revoked')
    expect(await audited(caller)).toHaveLength(1)
  })

  test('returns 400 if webhooks are not enabled, and 404 with Allow for other methods', async () => {
    const caller = await fixture.live({}, { scopes: ['account:manage'] })
    const refused = await create(caller)
    expectError(refused, 400, 'invalid_request')
    expect(refused.body.message).toContain('Webhooks are not enabled')
    expect((await send(caller, 'GET', '/webhooks')).body.data).toEqual([])
    const wrong = await send(caller, 'PUT', '/webhooks', {})
    expectError(wrong, 404, 'not_found')
    expect(wrong.headers.get('allow')?.split(', ').toSorted()).toEqual(['GET', 'HEAD', 'POST'])
  })

  test('allows 20 endpoints, however many are created at the same time', async () => {
    const caller = await manager()
    const answers = await Promise.all(Array.from({ length: 25 }, () => create(caller)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(answers.find(({ status }) => status !== 200)?.body.message).toContain('An account can have 20 endpoints.')
  })

  verifies('webhooks/api-addresses-checked', async () => {
    const caller = await fixture.live({}, { scopes: ['account:manage'] })
    await switchWebhooks({ pool: fixture.pool }, caller.account.email, true)
    for (const url of [
      'http://example.com/',
      'https://127.0.0.1/',
      'https://10.0.0.1/x',
      'https://[::1]/',
      'https://169.254.169.254/latest',
      'https://localhost/',
    ]) {
      const body = JSON.stringify({ url, types: ['rate.changed'] })
      const answer = await fixture.send('POST', '/webhooks', caller.key, { 'content-type': 'application/json' }, body)
      expect([url, answer.status, answer.body.error]).toEqual([url, 400, 'invalid_request'])
      expect(answer.body.message).toContain('"url":')
    }
  })
})
