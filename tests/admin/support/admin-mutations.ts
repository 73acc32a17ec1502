import { randomUUID } from 'node:crypto'
import { blockAccount } from '#server/accounts/accounts.ts'
import { createKey } from '#server/keys/keys.ts'
import { correctProduct } from '#server/market/corrections/correct-product.ts'
import type { Member, PortalFixture } from '../../portal/support/portal-fixture.ts'
import { getData } from '../../portal/support/visitor.ts'
import { deadDelivery, getEndpoint } from './dead-delivery.ts'
import { quarantinedImport, someProduct, waitForSources } from './market-fixtures.ts'
import { publishingInputs } from './publishing-inputs.ts'

/** Accounts used by an admin mutation: the administrator and the affected account. */
export type MutationFixture = { readonly fixture: PortalFixture; readonly admin: Member; readonly member: Member }

/** Function that creates the preconditions of an admin mutation and returns its input without the reason. */
export type MutationInput = (fixture: MutationFixture) => Promise<object>

/** Creates a proposal by another administrator and returns its id. */
async function proposalFor(fixture: PortalFixture, { publicId: account, id }: Member): Promise<string> {
  const { visitor } = await fixture.administrator()
  await visitor.call('admin.credits.adjust', 'mutation', { account, key: randomUUID(), credits: 5_000, note: '', reason: 'Of the tests.' })
  const [row] = await fixture.sql<{ public_id: string }>('SELECT public_id FROM credit_adjustment WHERE account_id = $1', [id])
  return row?.public_id ?? ''
}

const openTicket = async ({ visitor }: Member): Promise<string> =>
  getData(await visitor.call('support.open', 'mutation', { topic: 'other', text: 'A question.' })).id

/** Creates an endpoint with a dead delivery. */
async function brokenEndpoint(fixture: PortalFixture, member: Member): Promise<string> {
  const endpoint = await getEndpoint(fixture, member)
  await deadDelivery(fixture, endpoint)
  return endpoint
}

/** Valid input for every admin mutation. A test checks that no mutation is missing. */
export const mutationInputs: Readonly<Record<string, MutationInput>> = {
  ...publishingInputs,
  'admin.accounts.addNote': async ({ member }) => ({ account: member.publicId }),
  'admin.accounts.block': async ({ member }) => ({ account: member.publicId, customerMessage: 'A check is under way.' }),
  'admin.accounts.endSessions': async ({ member }) => ({ account: member.publicId }),
  'admin.accounts.revokeKey': async ({ fixture, member }) => {
    const { id } = await createKey(fixture.pool, { accountId: member.id, mode: 'live', scopes: ['rates:read'] })
    return { account: member.publicId, id }
  },
  'admin.accounts.setLimits': async ({ member }) => ({ account: member.publicId, perMinute: 90, perDay: null }),
  'admin.accounts.setPlan': async ({ member }) => ({ account: member.publicId, plan: 'business' }),
  'admin.credits.adjust': async ({ member }) => ({ account: member.publicId, key: randomUUID(), credits: 50, note: 'For the outage.' }),
  'admin.credits.decide': async ({ fixture, member }) => ({ id: await proposalFor(fixture, member), isApproved: true }),
  'admin.deliveries.redeliver': async ({ fixture, member }) => {
    const endpoint = await getEndpoint(fixture, member)
    return { endpoint, delivery: await deadDelivery(fixture, endpoint) }
  },
  'admin.deliveries.redeliverMany': async ({ fixture, member }) => {
    const endpoint = await getEndpoint(fixture, member)
    return { endpoint, deliveries: [await deadDelivery(fixture, endpoint)] }
  },
  'admin.deliveries.redeliverRange': async ({ fixture, member }) => ({
    endpoint: await brokenEndpoint(fixture, member),
    from: '2026-01-01T00:00:00Z',
    to: '2099-01-01T00:00:00Z',
  }),
  'admin.deliveries.redeliverFailed': async ({ fixture, member }) => ({ endpoint: await brokenEndpoint(fixture, member) }),
  'admin.support.answer': async ({ member }) => ({ id: await openTicket(member), text: 'Try again now.' }),
  'admin.support.write': async ({ member }) => ({ account: member.publicId, topic: 'payment', text: 'Your payment has arrived.' }),
  'admin.support.close': async ({ member }) => ({ id: await openTicket(member) }),
  'admin.viewing.begin': async ({ member }) => ({ account: member.publicId }),
  'admin.viewing.end': async ({ admin, member }) => {
    await admin.visitor.call('admin.viewing.begin', 'mutation', { account: member.publicId, reason: 'Of the tests.' })
    return {}
  },
  'admin.imports.fetch': async ({ fixture }) => {
    await waitForSources(fixture)
    return { source: 'feed-card' }
  },
  'admin.imports.publish': async ({ fixture }) => ({ feed: await quarantinedImport(fixture) }),
  'admin.imports.decline': async ({ fixture }) => ({ feed: await quarantinedImport(fixture) }),
  'admin.products.correct': async ({ fixture }) => {
    await waitForSources(fixture)
    return { ...(await someProduct(fixture)), rate: '4.44', boostRate: '0.00', boostDuration: '', until: '' }
  },
  'admin.products.withdraw': async ({ fixture }) => {
    const { sourceKey, seen } = await someProduct(fixture)
    return { sourceKey, seen, until: '' }
  },
  'admin.products.endCorrection': async ({ fixture, admin }) => {
    const { sourceKey, ...rest } = await someProduct(fixture)
    const actor = { actor: 'admin', adminId: admin.id, reason: 'A fixture.', address: null } as const
    const typed = { ...rest, sourceKey, rate: '4.44', boostRate: '0.00', boostDuration: '', until: '' }
    await correctProduct({ pool: fixture.pool, sources: [], now: Date.now }, { actor, publicId: admin.publicId }, typed)
    return { sourceKey }
  },
  'admin.accounts.setWebhooks': async ({ member }) => ({ account: member.publicId, isOn: true }),
  'admin.accounts.unblock': async ({ fixture, member }) => {
    await blockAccount(fixture.pool, member.email, null)
    return { account: member.publicId }
  },
  'admin.review.approve': async ({ fixture }) => ({ account: (await fixture.member({ isApproved: false })).publicId }),
  'admin.review.approveMany': async ({ fixture }) => ({ accounts: [(await fixture.member({ isApproved: false })).publicId] }),
  'admin.review.decline': async ({ fixture }) => ({
    account: (await fixture.member({ isApproved: false })).publicId,
    customerMessage: 'We could not tell who you are.',
  }),
}
