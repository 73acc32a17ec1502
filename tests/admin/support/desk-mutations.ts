import { correctProduct } from '../../../server/market/corrections/correct-product.ts'
import type { Member, PortalStage } from '../../portal/support/portal-stage.ts'
import { heldFeed, someProduct, sourcesAreQuiet } from './market-scenes.ts'

/** Who does something at the desk, and to whom. */
export type Scene = { readonly stage: PortalStage; readonly admin: Member; readonly member: Member }

/** Brings about what a mutation of the desk needs before it can take effect, and gives its input; why it is done comes with it. */
export type DeskWay = (scene: Scene) => Promise<object>

/** Every mutation of the desk with an input that it accepts. A test looks whether one is missing. */
export const deskWays: Readonly<Record<string, DeskWay>> = {
  'admin.imports.fetch': async ({ stage }) => {
    await sourcesAreQuiet(stage)
    return { source: 'feed-card' }
  },
  'admin.imports.publish': async ({ stage }) => ({ feed: await heldFeed(stage) }),
  'admin.imports.decline': async ({ stage }) => ({ feed: await heldFeed(stage) }),
  'admin.products.correct': async ({ stage }) => {
    await sourcesAreQuiet(stage)
    return { ...(await someProduct(stage)), rate: '4.44', boostRate: '0.00', boostDuration: '', until: '' }
  },
  'admin.products.withdraw': async ({ stage }) => {
    const { sourceKey, seen } = await someProduct(stage)
    return { sourceKey, seen, until: '' }
  },
  'admin.products.endCorrection': async ({ stage, admin }) => {
    const { sourceKey, ...rest } = await someProduct(stage)
    const deed = { actor: 'admin', adminId: admin.id, reason: 'A scene.', address: null } as const
    const typed = { ...rest, sourceKey, rate: '4.44', boostRate: '0.00', boostDuration: '', until: '' }
    await correctProduct({ pool: stage.pool, sources: [], now: Date.now }, { deed, publicId: admin.publicId }, typed)
    return { sourceKey }
  },
  'admin.accounts.setWebhooks': async ({ member }) => ({ account: member.publicId, isOn: true }),
}
