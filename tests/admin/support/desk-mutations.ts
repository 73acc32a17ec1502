import { randomUUID } from 'node:crypto'
import type { Member, PortalStage } from '../../portal/support/portal-stage.ts'
import { deadDelivery, endpointOf } from './dead-delivery.ts'

/** Who does something at the desk, and to whom. */
export type Scene = { readonly stage: PortalStage; readonly admin: Member; readonly member: Member }

/** Brings about what a mutation of the desk needs before it can take effect, and gives its input; why it is done comes with it. */
export type DeskWay = (scene: Scene) => Promise<object>

/** A proposal of another administrator. */
async function proposalFor(stage: PortalStage, { publicId: account, id }: Member): Promise<string> {
  const { visitor } = await stage.administrator()
  await visitor.call('admin.credits.adjust', 'mutation', { account, key: randomUUID(), credits: 5_000, note: '', reason: 'Of the tests.' })
  const [row] = await stage.sql<{ public_id: string }>('SELECT public_id FROM credit_adjustment WHERE account_id = $1', [id])
  return row?.public_id ?? ''
}

/** An endpoint with a delivery that died. */
async function brokenEndpoint(stage: PortalStage, member: Member): Promise<string> {
  const endpoint = await endpointOf(stage, member)
  await deadDelivery(stage, endpoint)
  return endpoint
}

/** Every mutation of the desk with an input that it accepts. A test looks whether one is missing. */
export const deskWays: Readonly<Record<string, DeskWay>> = {
  'admin.credits.adjust': async ({ member }) => ({ account: member.publicId, key: randomUUID(), credits: 50, note: 'For the outage.' }),
  'admin.credits.decide': async ({ stage, member }) => ({ id: await proposalFor(stage, member), isApproved: true }),
  'admin.deliveries.redeliver': async ({ stage, member }) => {
    const endpoint = await endpointOf(stage, member)
    return { endpoint, delivery: await deadDelivery(stage, endpoint) }
  },
  'admin.deliveries.redeliverRange': async ({ stage, member }) => ({
    endpoint: await brokenEndpoint(stage, member),
    from: '2026-01-01T00:00:00Z',
    to: '2099-01-01T00:00:00Z',
  }),
  'admin.deliveries.redeliverFailed': async ({ stage, member }) => ({ endpoint: await brokenEndpoint(stage, member) }),
  'admin.viewing.begin': async ({ member }) => ({ account: member.publicId }),
  'admin.viewing.end': async ({ admin, member }) => {
    await admin.visitor.call('admin.viewing.begin', 'mutation', { account: member.publicId, reason: 'Of the tests.' })
    return {}
  },
  'admin.accounts.setWebhooks': async ({ member }) => ({ account: member.publicId, isOn: true }),
}
