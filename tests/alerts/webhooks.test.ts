/** Tests the webhook event of market alerts. */
import { expect } from 'vitest'
import { evaluateAlerts } from '#server/alerts/evaluate.ts'
import { fanOutToOwners } from '#server/webhooks/fan-out.ts'
import { product } from '../market/feeds.ts'
import { verifies } from '../requirements/verifies.ts'
import { makeAccount } from '../support/accounts.ts'
import { ownDatabase } from '../support/own-database.ts'
import { addAlert, openAlerts, take, takeProviders } from './support/alert-fixture.ts'

const database = ownDatabase()

/** Enables webhooks for an account and adds an endpoint with this id. */
async function addEndpoint(accountId: number, publicId: string, types: readonly string[]): Promise<void> {
  await database.pool.query('INSERT INTO webhook_account (account_id, is_on) VALUES ($1, true) ON CONFLICT DO NOTHING', [accountId])
  await database.pool.query(
    `INSERT INTO webhook_endpoint (public_id, account_id, url, types, providers, secret, created_at, since_seq)
     VALUES ($2, $1, 'https://hooks.example.com/', $3, '{brook}', '', now(), 0)`,
    [accountId, publicId, types],
  )
}

verifies('alerts/webhook-event', async () => {
  await takeProviders(database.pool)
  const deps = await openAlerts(database.pool)
  const account = await makeAccount(database.pool)
  await addEndpoint(account.id, 'whe_subscribed', ['alert.matched'])
  await addEndpoint(account.id, 'whe_other', ['balance.low'])
  const watched = { kind: 'providers', providers: ['harrow'], filter: {} } as const
  const { id } = await addAlert(deps, { ...watched, providers: ['harrow'], byEmail: false, byWebhook: true }, account)
  await addAlert(deps, { ...watched, providers: ['harrow'], byWebhook: false }, account)
  await take(database.pool, product('event-product'))
  await Promise.all([evaluateAlerts(deps), evaluateAlerts(deps)])
  await fanOutToOwners(database.pool, 'https://api.example.test')
  const { rows } = await database.pool.query(
    `SELECT e.public_id AS endpoint, d.is_free AS "isFree", v.type, v.data FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id
       JOIN webhook_endpoint e ON e.id = d.endpoint_id WHERE v.type = 'alert.matched'`,
  )
  expect(rows).toMatchObject([{ endpoint: 'whe_subscribed', isFree: true, type: 'alert.matched' }])
  expect(JSON.parse((rows[0] as { data: string }).data)).toEqual({
    account: account.publicId,
    alert: id,
    name: 'Easy access above 4.6%',
    kind: 'providers',
    notification: expect.stringMatching(/^aln_/),
    changeCount: 1,
    changes: [{ change: 'matched', sourceKey: 'event-product' }],
    at: expect.stringMatching(/Z$/),
    url: `https://api.example.test/portal/alerts/${id}`,
  })
})
