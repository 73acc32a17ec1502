import { z } from 'zod'
import { accountById } from '../../../accounts/accounts.ts'
import { FieldsError } from '../../../contract/field-errors.ts'
import { setWebhookAccess } from '../../../webhooks/endpoints.ts'
import { forAdmin, router } from '../../procedures.ts'
import { PublicId } from '../public-id.ts'
import { deedOf, Why } from './deed.ts'

const Account = z.object({ account: PublicId })
const Switch = Account.extend({ isOn: z.boolean() }).extend(Why.shape)

/** What the desk does about one account. The rules live in the rooms; each change says why, and is a line of the audit log. */
export const deskAccountsRouter = router({
  setWebhooks: forAdmin.input(Switch).mutation(async ({ ctx, input }) => {
    const accountId = await accountById(ctx.room.pool, input.account)
    const isChanged = await setWebhookAccess(ctx.webhooks, deedOf(ctx, input), accountId, input.isOn)
    if (!isChanged) throw new FieldsError({ form: `Webhooks are ${input.isOn ? 'on' : 'off'} already.` })
  }),
})
