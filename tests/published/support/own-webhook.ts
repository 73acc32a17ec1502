import { randomUUID } from 'node:crypto'
import { dataScopes } from '#server/api/contract/access.ts'
import type { Database } from '#server/db/prisma.ts'
import { newPublicId } from '#server/ids.ts'
import { encryptSecret, newSigningSecret } from '#server/webhooks/signature.ts'
import { authSecret } from '../../support/service-process.ts'
import type { Caller, Fixture } from '../../v1/support/fixture.ts'
import { busyTestKey } from './test-key.ts'

/** Webhook endpoint with a delivered test event, and a market alert. Their ids replace those in the examples of the documentation. */
export class OwnWebhook {
  private readonly db: Database
  private readonly accountId: number
  readonly id = newPublicId('whe')
  readonly delivery = newPublicId('dlv')
  readonly alert = newPublicId('alr')

  constructor(db: Database, { account }: Pick<Caller, 'account'>) {
    this.db = db
    this.accountId = account.id
  }

  /** Replaces the ids of examples. */
  withOwnIds(text: string): string {
    return text.replaceAll('whe_7Hd2KsVb9QeR1ZtN', this.id).replaceAll('dlv_7Hd2KsVb9QeR1ZtN', this.delivery).replaceAll('alr_7Hd2KsVb9QeR1ZtN', this.alert)
  }

  /** Creates the alert if it is missing, and deletes the account's other alerts. */
  private async restoreAlert(): Promise<void> {
    const { db, accountId, alert: publicId } = this
    await db.marketAlert.deleteMany({ where: { accountId, publicId: { not: publicId } } })
    const settings = { name: 'Bank Rate', mode: 'test' as const, kind: 'bank-rate', filter: {}, frequency: 'daily', byEmail: true, byWebhook: false }
    const create = { ...settings, publicId, accountId, memberId: accountId, createdAt: new Date(), evaluatedVersion: 0, state: {} }
    await db.marketAlert.upsert({ where: { publicId }, create, update: settings, select: { id: true } })
  }

  /** Creates the endpoint and the delivery, or restores them after changes, and deletes the account's other endpoints. */
  async restore(): Promise<void> {
    await this.restoreAlert()
    const { db, accountId, id: publicId } = this
    await db.webhookAccount.upsert({ where: { accountId }, create: { accountId, isOn: true }, update: { isOn: true } })
    await db.webhookEndpoint.updateMany({ where: { accountId, publicId: { not: publicId } }, data: { state: 'deleted' } })
    const now = new Date()
    const settings = { url: 'https://example.com/webhooks', description: '', types: ['rate.changed'], providers: [], accountTypes: [] }
    const secret = encryptSecret(authSecret, publicId, newSigningSecret())
    const fresh = { ...settings, accountId, secret, mode: 'test' as const, state: 'active' as const }
    const { id } = await db.webhookEndpoint.upsert({
      where: { publicId },
      create: { ...fresh, publicId, createdAt: now, sinceSeq: 0 },
      update: fresh,
      select: { id: true },
    })
    const finished = { state: 'delivered', dueAt: now, deliveredAt: now, lastStatus: 200, attempts: 1 } as const
    if ((await db.webhookDelivery.updateMany({ where: { publicId: this.delivery }, data: finished })).count > 0) return
    const event = { id: `evt_test_${randomUUID()}`, type: 'rate.changed', createdAt: now, data: '{}', dataWithLogos: '{}' }
    await db.webhookEvent.create({ data: event })
    const delivery = { publicId: this.delivery, endpointId: id, accountId, eventId: event.id, isTest: true, createdAt: now, ...finished }
    await db.webhookDelivery.create({ data: delivery, select: { id: true } })
  }
}

/** Creates a test key with every scope and no rate limit, and a webhook endpoint in its account. */
export async function managingTestKey(fixture: Fixture): Promise<{ readonly caller: Caller; readonly webhook: OwnWebhook }> {
  const caller = await busyTestKey(fixture, { scopes: [...dataScopes, 'account:manage'] })
  const webhook = new OwnWebhook(fixture.pool, caller)
  await webhook.restore()
  return { caller, webhook }
}
