import { z } from 'zod'
import { setAlerts } from '../../billing/alerts.ts'
import { setAutoTopUp } from '../../billing/auto-top-up.ts'
import { billingOverview, topUpOf, topUpsOf } from '../../billing/billing-overview.ts'
import { customerPage, paymentLinks, removeCard } from '../../billing/customer-pages.ts'
import { ledgerPage } from '../../billing/ledger-page.ts'
import { startTopUp } from '../../billing/start-top-up.ts'
import { statementMonths, statementOf } from '../../billing/statement.ts'
import { forAccount, forVerified, router } from '../procedures.ts'

const Purchase = z.object({ key: z.string().max(100), amountPence: z.number(), savesCard: z.boolean() })
const TopUpId = z.object({ id: z.string().max(64) })
const Cursor = z.object({ cursor: z.string().max(100).nullable() })
const TopUpCursor = z.object({
  cursor: z
    .string()
    .regex(/^\d{1,18}$/)
    .nullable(),
})
const Page = Cursor.extend({ limit: z.int().min(1).max(100) })
const Month = z.object({ month: z.string().max(7) })
const Thresholds = z.object({ thresholds: z.array(z.number()).max(100) })
const AutoTopUp = z.object({ isOn: z.boolean(), thresholdCredits: z.number(), amountPence: z.number(), ceilingPence: z.number() })

/** Credits and payments. The rules (amounts, confirmed email, one checkout a purchase) live in server/billing. */
export const billingRouter = router({
  overview: forAccount.query(({ ctx }) => billingOverview(ctx.billing, ctx.viewer.accountId)),
  startTopUp: forVerified.input(Purchase).mutation(({ ctx, input }) => startTopUp(ctx.billing, ctx.viewer.accountId, input)),
  topUp: forAccount.input(TopUpId).query(({ ctx, input }) => topUpOf(ctx.billing, ctx.viewer.accountId, input.id)),
  topUps: forAccount.input(TopUpCursor).query(({ ctx, input }) => topUpsOf(ctx.billing, ctx.viewer.accountId, input.cursor)),
  paymentLinks: forAccount.input(TopUpId).query(({ ctx, input }) => paymentLinks(ctx.billing, ctx.viewer.accountId, input.id)),
  customerPage: forVerified.mutation(({ ctx }) => customerPage(ctx.billing, ctx.viewer.accountId)),
  removeCard: forAccount.mutation(({ ctx }) => removeCard(ctx.billing, ctx.viewer.accountId)),
  ledger: forAccount.input(Page).query(({ ctx, input }) => ledgerPage(ctx.billing, ctx.viewer.accountId, input)),
  statementMonths: forAccount.query(({ ctx }) => statementMonths(ctx.billing, ctx.viewer.accountId)),
  statement: forAccount.input(Month).query(({ ctx, input }) => statementOf(ctx.billing, ctx.viewer.accountId, input.month)),
  setAlerts: forAccount.input(Thresholds).mutation(({ ctx, input }) => setAlerts(ctx.billing, ctx.viewer.accountId, input.thresholds)),
  setAutoTopUp: forVerified.input(AutoTopUp).mutation(({ ctx, input }) => setAutoTopUp(ctx.billing, ctx.viewer.accountId, input)),
})
