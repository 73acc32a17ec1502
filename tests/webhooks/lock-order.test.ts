import { expect, test } from 'vitest'
import { switchWebhooks } from '#server/webhooks/access.ts'
import { deleteClosedEndpoints } from '#server/webhooks/manage-endpoints.ts'
import { behindBoth } from '../metering/blocking-lock.ts'
import type { TestAccount } from '../support/accounts.ts'
import { WebhookFixture } from './support/webhook-fixture.ts'

const fixture = new WebhookFixture()

/** Creates an account with two endpoints, of which the first is physically stored after the second, as can happen after an update. */
async function twoEndpoints(): Promise<TestAccount> {
  const account = await fixture.account()
  const first = await fixture.endpoint(account, { url: fixture.receiver.url('/first') })
  await fixture.endpoint(account, { url: fixture.receiver.url('/second') })
  await fixture.pool.query("UPDATE webhook_endpoint SET description = 'Changed.' WHERE public_id = $1", [first.id])
  return account
}

const changes: Record<string, { before?: string; change: (account: TestAccount) => Promise<unknown> }> = {
  'enabling webhooks for an account': { change: ({ email }) => switchWebhooks(fixture.deps(), email, true) },
  'deleting the endpoints of a closed account': {
    before: 'UPDATE account SET closed_at = now() WHERE id = $1',
    change: () => deleteClosedEndpoints(fixture.pool),
  },
}

const endpoint = (place: number) =>
  `SELECT FROM webhook_endpoint WHERE id = (SELECT id FROM webhook_endpoint WHERE account_id = $1 ORDER BY id OFFSET ${place} LIMIT 1) FOR UPDATE`

test.each(Object.entries(changes))('%s does not deadlock with a transaction that locks the endpoints in id order', async (_name, { before, change }) => {
  const account = await twoEndpoints()
  if (before) await fixture.pool.query(before, [account.id])
  expect(await behindBoth(fixture.pool, endpoint(0), endpoint(1), [account.id], () => change(account))).toBeNull()
})
