import { expect, test } from 'vitest'
import { endClosed } from '#server/webhooks/endpoints.store.ts'
import { switchWebhooks } from '#server/webhooks/endpoints.ts'
import { behindBoth } from '../metering/held-lock.ts'
import type { TestAccount } from '../support/world.ts'
import { WebhookStage } from './support/webhook-stage.ts'

const stage = new WebhookStage()

/** Returns an account whose first endpoint is stored after its second one, as happens after an update. */
async function twoEndpoints(): Promise<TestAccount> {
  const account = await stage.account()
  const first = await stage.endpoint(account, { url: stage.receiver.url('/first') })
  await stage.endpoint(account, { url: stage.receiver.url('/second') })
  await stage.pool.query("UPDATE webhook_endpoint SET description = 'Changed.' WHERE public_id = $1", [first.id])
  return account
}

const changes: Record<string, { before?: string; change: (account: TestAccount) => Promise<unknown> }> = {
  'switching webhooks on for an account': { change: ({ email }) => switchWebhooks(stage.room(), email, true) },
  'deleting the endpoints of a closed account': {
    before: 'UPDATE account SET closed_at = now() WHERE id = $1',
    change: () => endClosed(stage.pool),
  },
}

const endpoint = (place: number) =>
  `SELECT FROM webhook_endpoint WHERE id = (SELECT id FROM webhook_endpoint WHERE account_id = $1 ORDER BY id OFFSET ${place} LIMIT 1) FOR UPDATE`

test.each(Object.entries(changes))('%s does not deadlock with another transaction locking its endpoints in id order', async (_name, { before, change }) => {
  const account = await twoEndpoints()
  if (before) await stage.pool.query(before, [account.id])
  expect(await behindBoth(stage.pool, endpoint(0), endpoint(1), [account.id], () => change(account))).toBeNull()
})
