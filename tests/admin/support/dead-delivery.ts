import { newId } from '../../billing/support/stripe-objects.ts'
import type { Member, PortalFixture } from '../../portal/support/portal-fixture.ts'
import { getData } from '../../portal/support/visitor.ts'

const aWebhook = { url: 'https://hooks.example.com/', types: ['rate.changed'], providers: '', accountTypes: [], minChange: '', description: '' }

/** Enables webhooks for a member and creates an endpoint. The endpoint is leased for a day, so that no worker sends to it. */
export async function getEndpoint(fixture: PortalFixture, { id, visitor }: Member): Promise<string> {
  await fixture.sql('INSERT INTO webhook_account (account_id, is_on) VALUES ($1, true) ON CONFLICT (account_id) DO UPDATE SET is_on = true', [id])
  const endpoint: string = getData(await visitor.call('webhooks.create', 'mutation', aWebhook)).id
  await fixture.sql("UPDATE webhook_endpoint SET lease = gen_random_uuid(), leased_until = now() + interval '1 day' WHERE public_id = $1", [endpoint])
  return endpoint
}

/** Inserts a delivery that is already dead, with all its attempts failed, so that no worker picks it up. */
export async function deadDelivery(
  fixture: Pick<PortalFixture, 'sql'>,
  endpoint: string,
  madeAt = '2026-11-01T09:00:00Z',
  type = 'rate.changed',
): Promise<string> {
  const [event, delivery] = [newId('evt'), `dlv_${newId('x').replace(/\W|_/g, '')}`]
  await fixture.sql('INSERT INTO webhook_event (id, type, created_at, data, data_with_logos) VALUES ($1, $2, $3, $4, $4)', [
    event,
    type,
    madeAt,
    '{"sourceKey":"a"}',
  ])
  await fixture.sql(
    `INSERT INTO webhook_delivery (public_id, endpoint_id, account_id, event_id, state, attempts, due_at, created_at, settled_at, last_status)
     SELECT $1, id, account_id, $3, 'dead', 6, $4, $4, now(), 500 FROM webhook_endpoint WHERE public_id = $2`,
    [delivery, endpoint, event, madeAt],
  )
  await fixture.sql(
    `INSERT INTO webhook_attempt (delivery_id, round, attempt, at, outcome, status, fault, total_ms, endpoint_id, headers, body)
     SELECT id, 1, 6, now(), 'failed', 500, 'The receiver returned 500.', 41, endpoint_id, '{"server": "theirs"}', 'out of order' FROM webhook_delivery WHERE public_id = $1`,
    [delivery],
  )
  return delivery
}
