import type { PoolClient } from 'pg'
import { administratorEmails } from '#server/accounts/accounts.ts'
import { writeAudit } from '#server/accounts/audit.ts'
import { clock } from '#server/clock.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { readAccess, readAsked, writeAsked } from './endpoints.store.ts'
import type { WebhookOwner } from './endpoints.ts'
import type { WebhookRoom } from './webhook-room.ts'

const dayMs = 86_400_000

/** Whether an account has webhooks; if not, when it asked for them and whether it may ask now: once a day. */
export type WebhookAccess = { readonly isOn: boolean; readonly askedAt: Date | null; readonly canAsk: boolean }

export async function accessOf({ pool }: Pick<WebhookRoom, 'pool'>, accountId: number): Promise<WebhookAccess> {
  const [isOn, askedAt] = await Promise.all([readAccess(pool, accountId), readAsked(pool, accountId)])
  return { isOn, askedAt, canAsk: !isOn && (askedAt === null || askedAt.getTime() <= clock.now() - dayMs) }
}

/** Tells the administrators, in the transaction that notes it. */
export type TellAdministrators = (client: PoolClient, recipients: readonly string[], at: Date) => Promise<void>

/** Asks for webhooks. Who has them, or asked within a day, has asked already: nobody is told again. */
export async function askForWebhooks(room: WebhookRoom, owner: WebhookOwner & { accountId: number }, tell: TellAdministrators): Promise<void> {
  const { accountId, ...by } = owner
  const now = new Date(clock.now())
  const told = await inTransaction(room.pool, async (client) => {
    if (!(await writeAsked(client, accountId, now, new Date(now.getTime() - dayMs)))) return null
    await writeAudit(client, { ...by, accountId, action: 'webhooks.ask' })
    const recipients = await administratorEmails(client)
    await tell(client, recipients, now)
    return recipients.length
  })
  if (told === 0) room.log.warn({ account: accountId }, 'An account asks to have webhooks switched on, and there is no administrator to tell.')
}
