import { administratorEmails } from '#server/accounts/accounts.ts'
import { writeAudit } from '#server/accounts/audit.ts'
import { clock } from '#server/clock.ts'
import type { Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { readAccess, readAsked, writeAsked } from './endpoints.store.ts'
import type { WebhookOwner } from './endpoints.ts'
import type { WebhookDeps } from './webhook-deps.ts'

const dayMs = 86_400_000

/** Webhook access of an account. `askedAt` is the time of its last request for access; `canAsk` is true if it can request access now (once a day). */
export type WebhookAccess = { readonly isOn: boolean; readonly askedAt: Date | null; readonly canAsk: boolean }

export async function getAccess({ pool }: Pick<WebhookDeps, 'pool'>, accountId: number): Promise<WebhookAccess> {
  const [isOn, askedAt] = await Promise.all([readAccess(pool, accountId), readAsked(pool, accountId)])
  return { isOn, askedAt, canAsk: !isOn && (askedAt === null || askedAt.getTime() <= clock.now() - dayMs) }
}

/** Notifies the administrators, in the transaction that records the request. */
export type TellAdministrators = (client: Transaction, recipients: readonly string[], at: Date) => Promise<void>

/** Records a request for webhooks and notifies the administrators. Does nothing if the account already has webhooks or asked within the last day. */
export async function askForWebhooks(deps: WebhookDeps, owner: WebhookOwner & { accountId: number }, tell: TellAdministrators): Promise<void> {
  const { accountId, ...by } = owner
  const now = new Date(clock.now())
  const notified = await inTransaction(deps.pool, async (client) => {
    if (!(await writeAsked(client, accountId, now, new Date(now.getTime() - dayMs)))) return null
    await writeAudit(client, { ...by, accountId, action: 'webhooks.ask' })
    const recipients = await administratorEmails(client)
    await tell(client, recipients, now)
    return recipients.length
  })
  if (notified === 0) deps.log.warn({ account: accountId }, 'An account asked for webhooks, but there is no administrator to notify.')
}
