import { blockAccount } from '../../../server/accounts/accounts.ts'
import { createKey } from '../../../server/keys/keys.ts'
import type { Member, PortalStage } from '../../portal/support/portal-stage.ts'

/** Who does something at the desk, and to whom. */
export type Scene = { readonly stage: PortalStage; readonly admin: Member; readonly member: Member }

/** Brings about what a mutation of the desk needs before it can take effect, and gives its input; why it is done comes with it. */
export type DeskWay = (scene: Scene) => Promise<object>

/** Every mutation of the desk with an input that it accepts. A test looks whether one is missing. */
export const deskWays: Readonly<Record<string, DeskWay>> = {
  'admin.accounts.addNote': async ({ member }) => ({ account: member.publicId }),
  'admin.accounts.block': async ({ member }) => ({ account: member.publicId, told: 'A check is under way.' }),
  'admin.accounts.endSessions': async ({ member }) => ({ account: member.publicId }),
  'admin.accounts.revokeKey': async ({ stage, member }) => {
    const { id } = await createKey(stage.pool, { accountId: member.id, mode: 'live', scopes: ['rates:read'] })
    return { account: member.publicId, id }
  },
  'admin.accounts.setLimits': async ({ member }) => ({ account: member.publicId, perMinute: 90, perDay: null }),
  'admin.accounts.setPlan': async ({ member }) => ({ account: member.publicId, plan: 'business' }),
  'admin.accounts.setWebhooks': async ({ member }) => ({ account: member.publicId, isOn: true }),
  'admin.accounts.unblock': async ({ stage, member }) => {
    await blockAccount(stage.pool, member.email, null)
    return { account: member.publicId }
  },
  'admin.review.approve': async ({ stage }) => ({ account: (await stage.member({ isApproved: false })).publicId }),
  'admin.review.decline': async ({ stage }) => ({ account: (await stage.member({ isApproved: false })).publicId, told: 'We could not tell who you are.' }),
}
