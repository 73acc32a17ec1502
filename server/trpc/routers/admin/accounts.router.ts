import { z } from 'zod'
import { accountById } from '#server/accounts/accounts.ts'
import type { AdminActor } from '#server/accounts/audit.ts'
import { addNote, getNotes, historyForAdmin } from '#server/accounts/audit-log.ts'
import { AccountError, approval, blockAsAdmin, changeAsAdmin, declining, onPlan, unblocking, withLimits } from '#server/accounts/change-account.ts'
import { accountList, findAccount, findPeople, loadAdminAccount, standings } from '#server/admin/review/account-list.ts'
import { previewChange } from '#server/admin/review/preview-change.ts'
import { findCandidate, renderReviewEmail, reviewQueue } from '#server/admin/review/queue.ts'
import { beginViewAs, endViewAs, viewable } from '#server/admin/view-as/view-as.ts'
import { planNames } from '#server/api/contract/access.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { signedTyped, wholeTyped } from '#server/api/contract/formats.ts'
import { operations } from '#server/api/documents/catalogue.ts'
import { getAccountPayments } from '#server/billing/account-payments.ts'
import { countOpenProposals, getAdjustmentTerms, listOpenProposals, previewAdjustment } from '#server/billing/adjustment-list.ts'
import { adjustByHand, decideProposal } from '#server/billing/adjustments.ts'
import { getLedgerPage } from '#server/billing/ledger-lines.ts'
import type { Database } from '#server/db/prisma.ts'
import { revokeKeyAsAdmin } from '#server/keys/manage-own-keys.ts'
import { ownKeys } from '#server/keys/own-keys.ts'
import { getRequestWithDetails, requestPage } from '#server/metering/requests.ts'
import { usageReport } from '#server/metering/usage-report.ts'
import { endSessionsAsAdmin, getSessions } from '#server/self-service/devices.ts'
import { ownTickets } from '#server/support/tickets.ts'
import { getAccess, setWebhookAccess } from '#server/webhooks/access.ts'
import { getWebhooks } from '#server/webhooks/endpoints.ts'
import { forAdmin, IntCursor, PublicId, recent, router } from '../../procedures.ts'
import { accountProcedure, adminActor, CustomerMessage, ReasonInput, RequiredMessage, recentAdmin, TypedBoolean } from './admin-input.ts'

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

const anyCall = { search: null, endpoint: null, key: null, from: null, to: null } as const
const limitFault = 'Enter a whole number from 1 to 10,000,000, or leave it empty.'
/** Custom limit, which forms send as text. Empty or null means the plan's limit. */
const OwnLimit = z
  .union([z.number(), z.string().max(20), z.null()])
  .transform((limit) => (typeof limit !== 'string' ? limit : limit.trim() === '' ? null : wholeTyped(limit)))
  .pipe(z.int(limitFault).min(1, limitFault).max(10_000_000, limitFault).nullable())

const NewPlan = z.object({ plan: z.enum(planNames, 'Choose a plan.') })
const NewLimits = z.object({ perMinute: OwnLimit, perDay: OwnLimit })
const KeyChoice = z.object({ id: z.string('Choose a key.').pipe(PublicId) })

/** Change that an administrator wants to preview. */
const Planned = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('decline'), customerMessage: RequiredMessage }),
  z.object({ kind: z.literal('block'), customerMessage: CustomerMessage }),
  NewPlan.extend({ kind: z.literal('plan') }),
  NewLimits.extend({ kind: z.literal('limits') }),
  KeyChoice.extend({ kind: z.literal('key') }),
])

const mutation = accountProcedure.input(ReasonInput)
const recentMutation = mutation.use(recent)

/** Account administration. The business rules are in the modules imported here; each mutation requires a reason and writes an audit entry. */
export const adminAccountsRouter = router({
  list: forAdmin.input(List).query(({ ctx, input: { below, ...filter } }) => accountList(ctx.db, filter, below)),
  find: forAdmin.input(Search).query(({ ctx, input }) => findAccount(ctx.db, input.search)),
  people: forAdmin.input(Search.extend({ isAdmin: z.boolean() })).query(({ ctx, input }) => findPeople(ctx.db, input.search, input.isAdmin)),
  read: accountProcedure.query(({ ctx }) => loadAdminAccount(ctx.db, ctx.accountId)),
  ledger: accountProcedure.input(LedgerPage).query(({ ctx, input }) => getLedgerPage(ctx.billing, ctx.accountId, input, operations)),
  requests: accountProcedure
    .input(Calls)
    .query(({ ctx, input: { isFailed, before, limit } }) =>
      requestPage(ctx.db, ctx.accountId, { ...anyCall, status: isFailed ? 'failed' : null, before, limit }, operations),
    ),
  request: accountProcedure.input(Thing).query(({ ctx, input }) => getRequestWithDetails(ctx.db, ctx.accountId, input.id, operations)),
  payments: accountProcedure
    .input(z.object({ limit: z.int().min(1).max(100) }))
    .query(({ ctx, input }) => getAccountPayments(ctx.db, ctx.accountId, input.limit)),
  tickets: accountProcedure.query(({ ctx }) => ownTickets(ctx.db, ctx.accountId)),
  usage: accountProcedure
    .input(Range)
    .query(({ ctx, input }) => usageReport(ctx.db, ctx.accountId, { ...input, grain: 'day', endpoint: null, key: null, status: null }, operations)),
  keys: accountProcedure.query(({ ctx }) => ownKeys(ctx.db, ctx.accountId)),
  webhooks: accountProcedure.query(async ({ ctx }) => ({
    ...(await getAccess(ctx.webhooks, ctx.accountId)),
    endpoints: await getWebhooks(ctx.webhooks, ctx.accountId),
  })),
  sessions: accountProcedure.query(({ ctx }) => getSessions(ctx.deps, ctx.accountId, '')),
  notes: accountProcedure.query(({ ctx }) => getNotes(ctx.db, ctx.accountId)),
  history: accountProcedure.input(Before).query(({ ctx, input }) => historyForAdmin(ctx.db, ctx.accountId, input.before)),
  /** Describes the effects of a change before the administrator confirms it. */
  preview: accountProcedure.input(Planned).query(({ ctx, input }) => previewChange(ctx.db, ctx.deps.publicUrl, ctx.accountId, input)),

  block: recentMutation
    .input(z.object({ customerMessage: CustomerMessage }))
    .mutation(({ ctx, input }) => blockAsAdmin(ctx.db, adminActor(ctx, input), ctx.accountId, input.customerMessage === '' ? null : input.customerMessage)),
  unblock: recentMutation.mutation(({ ctx, input }) => changeAsAdmin(ctx.db, adminActor(ctx, input), ctx.accountId, unblocking)),
  setPlan: recentMutation.input(NewPlan).mutation(({ ctx, input }) => changeAsAdmin(ctx.db, adminActor(ctx, input), ctx.accountId, onPlan(input.plan))),
  setLimits: recentMutation
    .input(NewLimits)
    .mutation(({ ctx, input: { perMinute, perDay, ...why } }) => changeAsAdmin(ctx.db, adminActor(ctx, why), ctx.accountId, withLimits({ perMinute, perDay }))),
  setWebhooks: recentMutation.input(z.object({ isOn: TypedBoolean })).mutation(async ({ ctx, input }) => {
    const isChanged = await setWebhookAccess(ctx.webhooks, adminActor(ctx, input), ctx.accountId, input.isOn)
    if (!isChanged) throw new FieldsError({ form: `Webhooks are already ${input.isOn ? 'enabled' : 'disabled'}.` })
  }),
  revokeKey: recentMutation.input(KeyChoice).mutation(({ ctx, input }) => revokeKeyAsAdmin(ctx.db, adminActor(ctx, input), ctx.accountId, input.id)),
  endSessions: recentMutation.mutation(({ ctx, input }) => endSessionsAsAdmin(ctx.deps, adminActor(ctx, input), ctx.accountId)),
  /** Saves the reason as a note. */
  addNote: mutation.mutation(({ ctx, input }) => addNote(ctx.db, adminActor(ctx, input), ctx.accountId)),
})

const Page = z.object({ after: PublicId.nullable() })
const decision = accountProcedure.use(recent).input(ReasonInput)

const Many = z.object({ accounts: z.array(PublicId).min(1).max(25) }).extend(ReasonInput.shape)

/** Approves an account; returns false if that is not possible any more. */
async function approveUndecided(db: Database, by: AdminActor, accountId: number): Promise<boolean> {
  try {
    await changeAsAdmin(db, by, accountId, approval)
    return true
  } catch (error) {
    if (error instanceof AccountError) return false
    throw error
  }
}

/** Accounts awaiting live access. The rules are in server/admin/review and server/accounts. */
export const adminReviewRouter = router({
  queue: forAdmin.input(Page).query(({ ctx, input }) => reviewQueue(ctx.db, input.after)),
  /** Returns null if the account isn't awaiting review. */
  read: accountProcedure.query(({ ctx }) => findCandidate(ctx.db, ctx.accountId)),
  /** Renders the email about an approval. */
  message: accountProcedure.query(({ ctx }) => renderReviewEmail(ctx.db, ctx.deps.publicUrl, ctx.accountId, null)),
  approve: decision.mutation(({ ctx, input }) => changeAsAdmin(ctx.db, adminActor(ctx, input), ctx.accountId, approval)),
  /** Approves several accounts with one reason. Each has its own audit entry; accounts that were decided in the meantime are skipped. */
  approveMany: recentAdmin.input(Many).mutation(async ({ ctx, input }) => {
    const results = []
    for (const account of input.accounts) results.push(await approveUndecided(ctx.db, adminActor(ctx, input), await accountById(ctx.db, account)))
    const approved = results.filter((isApproved) => isApproved).length
    return { approved, skipped: results.length - approved }
  }),
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

/** Credits to add or deduct, which forms send as text. Zero, which is rejected, stands for text that is not a number. */
const Credits = z.union([
  z.number(),
  z
    .string()
    .max(20)
    .transform((text) => signedTyped(text) ?? 0),
])
const Adjust = Account.extend({
  key: z.string().min(1).max(100),
  credits: Credits,
  note: z.string().max(200, 'The note to the customer can have up to 200 characters.'),
}).extend(ReasonInput.shape)
const Decide = z.object({ id: PublicId, isApproved: TypedBoolean }).extend(ReasonInput.shape)
const ProposalPage = z.object({ after: IntCursor })

/** Manual credit adjustments. The rules (never below zero, a second administrator above a limit) are in server/billing. */
export const adminCreditsRouter = router({
  terms: forAdmin
    .input(Account)
    .query(async ({ ctx, input }) => getAdjustmentTerms(ctx.billing, await accountById(ctx.db, input.account), ctx.viewer.accountId)),
  preview: forAdmin
    .input(Account.extend({ credits: Credits }))
    .query(async ({ ctx, input }) => previewAdjustment(ctx.billing, await accountById(ctx.db, input.account), ctx.viewer.accountId, input.credits)),
  adjust: recentAdmin
    .input(Adjust)
    .mutation(async ({ ctx, input }) => adjustByHand(ctx.billing, adminActor(ctx, input), await accountById(ctx.db, input.account), input)),
  waiting: forAdmin.query(({ ctx }) => countOpenProposals(ctx.db)),
  proposals: forAdmin.input(ProposalPage).query(({ ctx, input }) => listOpenProposals(ctx.db, input.after)),
  decide: recentAdmin.input(Decide).mutation(({ ctx, input }) => decideProposal(ctx.billing, adminActor(ctx, input), input.id, input.isApproved)),
})
