import { z } from 'zod'
import { mutationFault } from '#server/accounts/permissions.ts'
import { attempt, limits } from '#server/accounts/throttle.ts'
import { penceTyped, wholesTyped, wholeTyped } from '#server/api/contract/formats.ts'
import { operations } from '#server/api/documents/catalogue.ts'
import { requireRecent } from '#server/auth/reauthentication.ts'
import { accountActor, type Viewer } from '#server/auth/viewer.ts'
import { setAutoTopUp } from '#server/billing/auto-top-up-settings.ts'
import { findBillingDetails, setBillingDetails } from '#server/billing/billing-details.ts'
import { listNotices } from '#server/billing/billing-notices.ts'
import { getBillingOverview, getTopUp, listBalanceDays, listTopUps, setCap } from '#server/billing/billing-overview.ts'
import { getCustomerPage, getPaymentLinks } from '#server/billing/customers.ts'
import { listLatestLines } from '#server/billing/latest-lines.ts'
import { getLedgerPage } from '#server/billing/ledger-lines.ts'
import { setAlerts } from '#server/billing/low-balance-alerts.ts'
import { removeCard } from '#server/billing/saved-cards.ts'
import { exportFormats, exportLedger, getStatement, listStatementMonths } from '#server/billing/statement.ts'
import { startTopUp } from '#server/billing/top-ups.ts'
import { forAccount, forVerified, IntCursor, type PortalContext, recent, router } from '../procedures.ts'

/** Numbers, or their text as typed in a form. An amount is typed in pounds. */
const typed = z.string().max(30)
const Whole = z.union([z.number(), typed.transform(wholeTyped)])
const Pence = z.union([z.number(), typed.transform(penceTyped)])
const OptionalWhole = z.union([z.number(), typed.transform((text) => (text.trim() === '' ? null : wholeTyped(text)))]).nullable()
const Ticked = z.union([z.boolean(), z.literal('yes').transform(() => true)])
const Switch = z.union([z.boolean(), z.enum(['yes', 'no']).transform((choice) => choice === 'yes')])

const Purchase = z.object({ key: z.string().max(100), amountPence: Pence, savesCard: Ticked })
const TopUpId = z.object({ id: z.string().max(64) })
const Cursor = z.object({ cursor: z.string().max(100).nullable() })
const TopUpCursor = z.object({ cursor: IntCursor })
const Page = Cursor.extend({ limit: z.int().min(1).max(100), request: z.string().max(64).nullable() })
const Month = z.object({ month: z.string().max(7) })
const Export = Month.extend({ format: z.enum(exportFormats) })
const Thresholds = z.object({ thresholds: z.union([z.array(z.number()).max(100), z.string().max(1_000).transform(wholesTyped)]) })
const line = z.string().max(1_000)
const Details = z.object({ name: line, line1: line, line2: line, city: line, postcode: line, country: line, vatNumber: line })
const Cap = z.object({ capCredits: OptionalWhole })
const AutoTopUp = z.object({ isOn: Switch, thresholdCredits: Whole, amountPence: Pence, ceilingPence: Pence })

/** Returns the origin of a request, for the account history. */
const by = ({ asker, viewer }: PortalContext & { viewer: Viewer }) => accountActor(viewer, asker)

/** Credits and payments. The rules (amounts, confirmed email, one checkout per purchase) are in server/billing. */
export const billingRouter = router({
  overview: forAccount.query(({ ctx }) => getBillingOverview(ctx.billing, ctx.accountId)),
  startTopUp: forVerified.input(Purchase).mutation(async ({ ctx, input }) => {
    if (input.savesCard) requireRecent(ctx.viewer)
    await attempt(ctx.billing.pool, [limits.purchases, String(ctx.accountId)])
    return startTopUp(ctx.billing, ctx.accountId, input)
  }),
  topUp: forAccount.input(TopUpId).query(({ ctx, input }) => getTopUp(ctx.billing, ctx.accountId, input.id)),
  topUps: forAccount
    .input(TopUpCursor)
    .query(({ ctx, input }) => listTopUps(ctx.billing, ctx.accountId, input.cursor, mutationFault(ctx.viewer, 'billing.startTopUp') === null)),
  paymentLinks: forAccount.input(TopUpId).query(({ ctx, input }) => getPaymentLinks(ctx.billing, ctx.accountId, input.id)),
  customerPage: forVerified.use(recent).mutation(({ ctx }) => getCustomerPage(ctx.billing, ctx.accountId)),
  removeCard: forAccount.use(recent).mutation(({ ctx }) => removeCard(ctx.billing, ctx.accountId, by(ctx))),
  balanceDays: forAccount.query(({ ctx }) => listBalanceDays(ctx.billing, ctx.accountId)),
  ledger: forAccount.input(Page).query(({ ctx, input }) => getLedgerPage(ctx.billing, ctx.accountId, input, operations)),
  latestLines: forAccount.query(({ ctx }) => listLatestLines(ctx.billing, ctx.accountId, operations)),
  statementMonths: forAccount.query(({ ctx }) => listStatementMonths(ctx.billing, ctx.accountId)),
  statement: forAccount.input(Month).query(({ ctx, input }) => getStatement(ctx.billing, ctx.accountId, input.month)),
  /** Streams a file, for in-process use by our download route. Not available over HTTP, where responses are not streamed. */
  export: forAccount.input(Export).query(({ ctx, input }) => exportLedger(ctx.billing, { accountId: ctx.accountId, endpoints: operations, ...input })),
  notices: forAccount.query(({ ctx }) => listNotices(ctx.billing, ctx.accountId)),
  /** Name, address and VAT number on receipts and invoices, and the email address that gets them. */
  details: forAccount.query(async ({ ctx: { db, accountId, viewer } }) => ({ details: await findBillingDetails(db, accountId), email: viewer.ownerEmail })),
  setDetails: forAccount.input(Details).mutation(async ({ ctx, input }) => {
    await attempt(ctx.billing.pool, [limits.billingDetails, String(ctx.accountId)])
    await setBillingDetails(ctx.billing, ctx.accountId, input, by(ctx))
  }),
  setAlerts: forAccount.input(Thresholds).mutation(({ ctx, input }) => setAlerts(ctx.billing, ctx.accountId, input.thresholds, by(ctx))),
  setCap: forAccount.input(Cap).mutation(({ ctx, input }) => setCap(ctx.billing, ctx.accountId, input.capCredits, by(ctx), () => requireRecent(ctx.viewer))),
  setAutoTopUp: forVerified.input(AutoTopUp).mutation(({ ctx, input }) => {
    if (input.isOn) requireRecent(ctx.viewer)
    return setAutoTopUp(ctx.billing, ctx.accountId, input, by(ctx))
  }),
})
