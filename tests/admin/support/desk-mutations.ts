import type { Member, PortalStage } from '../../portal/support/portal-stage.ts'

/** Who does something at the desk, and to whom. */
export type Scene = { readonly stage: PortalStage; readonly admin: Member; readonly member: Member }

/** Brings about what a mutation of the desk needs before it can take effect, and gives its input; why it is done comes with it. */
export type DeskWay = (scene: Scene) => Promise<object>

/** Every mutation of the desk with an input that it accepts. A test looks whether one is missing. */
export const deskWays: Readonly<Record<string, DeskWay>> = {
  'admin.accounts.setWebhooks': async ({ member }) => ({ account: member.publicId, isOn: true }),
}
