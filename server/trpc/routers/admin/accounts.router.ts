import { z } from 'zod'
import { accountById } from '#server/accounts/accounts.ts'
import { addNote, getNotes, historyForAdmin } from '#server/accounts/audit-log.ts'
import { approval, blockAsAdmin, changeAsAdmin, declining, onPlan, unblocking, withLimits } from '#server/accounts/change-account.ts'
import { accountList, findAccount, loadAdminAccount, standings } from '#server/admin/review/account-list.ts'
import { findCandidate, renderReviewEmail, reviewQueue } from '#server/admin/review/queue.ts'
import { beginViewAs, endViewAs, viewable } from '#server/admin/view-as/view-as.ts'
import { planNames } from '#server/api/contract/access.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { operations } from '#server/api/documents/catalogue.ts'
import { countOpenProposals, getAdjustmentTerms, listOpenProposals } from '#server/billing/adjustment-list.ts'
import { adjustByHand, decideProposal } from '#server/billing/adjustments.ts'
import { getLedgerPage } from '#server/billing/ledger-lines.ts'
import { revokeKeyAsAdmin } from '#server/keys/manage-own-keys.ts'
import { ownKeys } from '#server/keys/own-keys.ts'
import { getRequestWithDetails, requestPage } from '#server/metering/requests.ts'
import { usageReport } from '#server/metering/usage-report.ts'
import { endSessionsAsAdmin, getSessions } from '#server/self-service/devices.ts'
import { getAccess, setWebhookAccess } from '#server/webhooks/access.ts'
import { getWebhooks } from '#server/webhooks/endpoints.ts'
import { forAdmin, IntCursor, PublicId, recent, router } from '../../procedures.ts'
import { accountProcedure, adminActor, CustomerMessage, ReasonInput, RequiredMessage, recentAdmin } from './admin-input.ts'

const short = z.string().max(254).nullable()
/** Email prefix or `@domain`. Full addresses are searched with `find`, because they don't belong in URLs. */
const EmailPart = z
  .string()
  .max(254)
  .regex(/^@|^[^@]*$/)
  .nullable()
const List = z.object({
  standing: z.enum(standings).nullable(),
  plan: z.enum(planNames).nullable(),
  email: EmailPart,
  hint: short,
  ids: z.array(PublicId).max(20).readonly().nullable(),
  below: PublicId.nullable(),
})
const Search = z.object({ search: z.string().max(500) })
const Thing = z.object({ id: PublicId })
const Before = z.object({ before: IntCursor })
const LedgerPage = z.object({ cursor: z.string().max(100).nullable(), request: PublicId.nullable(), limit: z.int().min(1).max(100) })
const Calls = z.object({ isFailed: z.boolean(), before: PublicId.nullable(), limit: z.int().min(1).max(100) })
const Range = z.object({ from: z.string().max(10), to: z.string().max(10), by: z.enum(['endpoint', 'key', 'status']) })

const anyCall = { search: null, endpoint: null, key: null, status: null } as const
const ofOwn = z.int('Enter a whole number.').min(1, 'Enter 1 or more.').max(10_000_000, 'Enter 10,000,000 or less.').nullable()

const mutation = accountProcedure.input(ReasonInput)
const recentMutation = mutation.use(recent)

/** Account administration. The business rules are in the modules imported here; each mutation requires a reason and writes an audit entry. */
export const adminAccountsRouter = router({
  list: forAdmin.input(List).query(({ ctx, input: { below, ...filter } }) => accountList(ctx.db, filter, below)),
  find: forAdmin.input(Search).query(({ ctx, input }) => findAccount(ctx.db, input.search)),
  read: accountProcedure.query(({ ctx }) => loadAdminAccount(ctx.db, ctx.accountId)),
  ledger: accountProcedure.input(LedgerPage).query(({ ctx, input }) => getLedgerPage(ctx.billing, ctx.accountId, input, operations)),
  requests: accountProcedure
    .input(Calls)
    .query(({ ctx, input: { isFailed, before, limit } }) =>
      requestPage(ctx.db, ctx.accountId, { ...anyCall, before, limit, ...(isFailed ? { minStatus: 400 } : {}) }, operations),
    ),
  request: accountProcedure.input(Thing).query(({ ctx, input }) => getRequestWithDetails(ctx.db, ctx.accountId, input.id, operations)),
  usage: accountProcedure.input(Range).query(({ ctx, input }) => usageReport(ctx.db, ctx.accountId, input, operations)),
  keys: accountProcedure.query(({ ctx }) => ownKeys(ctx.db, ctx.accountId)),
  webhooks: accountProcedure.query(async ({ ctx }) => ({
    ...(await getAccess(ctx.webhooks, ctx.accountId)),
    endpoints: await getWebhooks(ctx.webhooks, ctx.accountId),
  })),
  sessions: accountProcedure.query(({ ctx }) => getSessions(ctx.deps, ctx.accountId, '')),
  notes: accountProcedure.query(({ ctx }) => getNotes(ctx.db, ctx.accountId)),
  history: accountProcedure.input(Before).query(({ ctx, input }) => historyForAdmin(ctx.db, ctx.accountId, input.before)),

  block: recentMutation
    .input(z.object({ customerMessage: CustomerMessage }))
    .mutation(({ ctx, input }) => blockAsAdmin(ctx.db, adminActor(ctx, input), ctx.accountId, input.customerMessage === '' ? null : input.customerMessage)),
  unblock: recentMutation.mutation(({ ctx, input }) => changeAsAdmin(ctx.db, adminActor(ctx, input), ctx.accountId, unblocking)),
  setPlan: recentMutation
    .input(z.object({ plan: z.enum(planNames, 'Choose a plan.') }))
    .mutation(({ ctx, input }) => changeAsAdmin(ctx.db, adminActor(ctx, input), ctx.accountId, onPlan(input.plan))),
  setLimits: recentMutation
    .input(z.object({ perMinute: ofOwn, perDay: ofOwn }))
    .mutation(({ ctx, input: { perMinute, perDay, ...why } }) => changeAsAdmin(ctx.db, adminActor(ctx, why), ctx.accountId, withLimits({ perMinute, perDay }))),
  setWebhooks: recentMutation.input(z.object({ isOn: z.boolean() })).mutation(async ({ ctx, input }) => {
    const isChanged = await setWebhookAccess(ctx.webhooks, adminActor(ctx, input), ctx.accountId, input.isOn)
    if (!isChanged) throw new FieldsError({ form: `Webhooks are already ${input.isOn ? 'enabled' : 'disabled'}.` })
  }),
  revokeKey: recentMutation.input(Thing).mutation(({ ctx, input }) => revokeKeyAsAdmin(ctx.db, adminActor(ctx, input), ctx.accountId, input.id)),
  endSessions: recentMutation.mutation(({ ctx, input }) => endSessionsAsAdmin(ctx.deps, adminActor(ctx, input), ctx.accountId)),
  /** Saves the reason as a note. */
  addNote: mutation.mutation(({ ctx, input }) => addNote(ctx.db, adminActor(ctx, input), ctx.accountId)),
})

const Page = z.object({ after: PublicId.nullable() })
const decision = accountProcedure.use(recent).input(ReasonInput)

/** Accounts awaiting live access. The rules are in server/admin/review and server/accounts. */
export const adminReviewRouter = router({
  queue: forAdmin.input(Page).query(({ ctx, input }) => reviewQueue(ctx.db, input.after)),
  /** Returns null if the account isn't awaiting review. */
  read: accountProcedure.query(({ ctx }) => findCandidate(ctx.db, ctx.accountId)),
  /** Renders the decision email: a decline with the given reason, or an approval if the reason is null. */
  message: accountProcedure
    .input(z.object({ customerMessage: RequiredMessage.nullable() }))
    .query(({ ctx, input }) => renderReviewEmail(ctx.db, ctx.deps.publicUrl, ctx.accountId, input.customerMessage)),
  approve: decision.mutation(({ ctx, input }) => changeAsAdmin(ctx.db, adminActor(ctx, input), ctx.accountId, approval)),
  decline: decision
    .input(z.object({ customerMessage: RequiredMessage }))
    .mutation(({ ctx, input }) => changeAsAdmin(ctx.db, adminActor(ctx, input), ctx.accountId, declining(input.customerMessage))),
})

const Account = z.object({ account: PublicId })
const Begin = Account.extend(ReasonInput.shape)

/** Viewing the portal as a customer. procedures.ts defines which calls are allowed. */
export const adminViewAsRouter = router({
  read: forAdmin.input(Account).query(async ({ ctx, input }) => viewable(ctx.deps, ctx.viewer, await accountById(ctx.db, input.account))),
  begin: recentAdmin
    .input(Begin)
    .mutation(async ({ ctx, input }) => beginViewAs(ctx.deps, adminActor(ctx, input), ctx.viewer, await accountById(ctx.db, input.account))),
  end: forAdmin.input(ReasonInput).mutation(({ ctx, input }) => endViewAs(ctx.deps, adminActor(ctx, input), ctx.viewer)),
})

const Adjust = Account.extend({
  key: z.string().min(1).max(100),
  credits: z.number(),
  note: z.string().max(200, 'The note to the customer can have up to 200 characters.'),
}).extend(ReasonInput.shape)
const Decide = z.object({ id: PublicId, isApproved: z.boolean() }).extend(ReasonInput.shape)
const ProposalPage = z.object({ after: IntCursor })

/** Manual credit adjustments. The rules (never below zero, a second administrator above a limit) are in server/billing. */
export const adminCreditsRouter = router({
  terms: forAdmin
    .input(Account)
    .query(async ({ ctx, input }) => getAdjustmentTerms(ctx.billing, await accountById(ctx.db, input.account), ctx.viewer.accountId)),
  adjust: recentAdmin
    .input(Adjust)
    .mutation(async ({ ctx, input }) => adjustByHand(ctx.billing, adminActor(ctx, input), await accountById(ctx.db, input.account), input)),
  waiting: forAdmin.query(({ ctx }) => countOpenProposals(ctx.db)),
  proposals: forAdmin.input(ProposalPage).query(({ ctx, input }) => listOpenProposals(ctx.db, input.after)),
  decide: recentAdmin.input(Decide).mutation(({ ctx, input }) => decideProposal(ctx.billing, adminActor(ctx, input), input.id, input.isApproved)),
})
