import { randomUUID } from 'node:crypto'
import { blockAccount } from '#server/accounts/accounts.ts'
import { createKey } from '#server/keys/keys.ts'
import { correctProduct } from '#server/market/corrections/correct-product.ts'
import type { Member, PortalStage } from '../../portal/support/portal-stage.ts'
import { deadDelivery, endpointOf } from './dead-delivery.ts'
import { heldFeed, someProduct, waitForSources } from './market-fixtures.ts'
import { publishingInputs } from './publishing-inputs.ts'

/** Fixture of an admin mutation: the administrator and the affected account. */
export type MutationFixture = { readonly stage: PortalStage; readonly admin: Member; readonly member: Member }

/** Creates the preconditions of an admin mutation and returns its input without the reason. */
export type MutationInput = (fixture: MutationFixture) => Promise<object>

/** Creates a proposal by another administrator and returns its id. */
async function proposalFor(stage: PortalStage, { publicId: account, id }: Member): Promise<string> {
  const { visitor } = await stage.administrator()
  await visitor.call('admin.credits.adjust', 'mutation', { account, key: randomUUID(), credits: 5_000, note: '', reason: 'Of the tests.' })
  const [row] = await stage.sql<{ public_id: string }>('SELECT public_id FROM credit_adjustment WHERE account_id = $1', [id])
  return row?.public_id ?? ''
}

/** Creates an endpoint with a dead delivery. */
async function brokenEndpoint(stage: PortalStage, member: Member): Promise<string> {
  const endpoint = await endpointOf(stage, member)
  await deadDelivery(stage, endpoint)
  return endpoint
}

/** Accepted input of every admin mutation. A test checks that none is missing. */
export const mutationInputs: Readonly<Record<string, MutationInput>> = {
  ...publishingInputs,
  'admin.accounts.addNote': async ({ member }) => ({ account: member.publicId }),
  'admin.accounts.block': async ({ member }) => ({ account: member.publicId, told: 'A check is under way.' }),
  'admin.accounts.endSessions': async ({ member }) => ({ account: member.publicId }),
  'admin.accounts.revokeKey': async ({ stage, member }) => {
    const { id } = await createKey(stage.pool, { accountId: member.id, mode: 'live', scopes: ['rates:read'] })
    return { account: member.publicId, id }
  },
  'admin.accounts.setLimits': async ({ member }) => ({ account: member.publicId, perMinute: 90, perDay: null }),
  'admin.accounts.setPlan': async ({ member }) => ({ account: member.publicId, plan: 'business' }),
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
  'admin.imports.fetch': async ({ stage }) => {
    await waitForSources(stage)
    return { source: 'feed-card' }
  },
  'admin.imports.publish': async ({ stage }) => ({ feed: await heldFeed(stage) }),
  'admin.imports.decline': async ({ stage }) => ({ feed: await heldFeed(stage) }),
  'admin.products.correct': async ({ stage }) => {
    await waitForSources(stage)
    return { ...(await someProduct(stage)), rate: '4.44', boostRate: '0.00', boostDuration: '', until: '' }
  },
  'admin.products.withdraw': async ({ stage }) => {
    const { sourceKey, seen } = await someProduct(stage)
    return { sourceKey, seen, until: '' }
  },
  'admin.products.endCorrection': async ({ stage, admin }) => {
    const { sourceKey, ...rest } = await someProduct(stage)
    const actor = { actor: 'admin', adminId: admin.id, reason: 'A fixture.', address: null } as const
    const typed = { ...rest, sourceKey, rate: '4.44', boostRate: '0.00', boostDuration: '', until: '' }
    await correctProduct({ pool: stage.pool, sources: [], now: Date.now }, { actor, publicId: admin.publicId }, typed)
    return { sourceKey }
  },
  'admin.accounts.setWebhooks': async ({ member }) => ({ account: member.publicId, isOn: true }),
  'admin.accounts.unblock': async ({ stage, member }) => {
    await blockAccount(stage.pool, member.email, null)
    return { account: member.publicId }
  },
  'admin.review.approve': async ({ stage }) => ({ account: (await stage.member({ isApproved: false })).publicId }),
  'admin.review.decline': async ({ stage }) => ({ account: (await stage.member({ isApproved: false })).publicId, told: 'We could not tell who you are.' }),
}
