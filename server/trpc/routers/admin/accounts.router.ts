import { z } from 'zod'
import { addNote, getNotes, historyForAdmin } from '#server/accounts/account-history.ts'
import { blockAsAdmin, changeLimitsAsAdmin, changePlanAsAdmin, unblockAsAdmin } from '#server/accounts/admin-changes.ts'
import { accountList, standings } from '#server/admin/review/account-list.ts'
import { loadAdminAccount } from '#server/admin/review/admin-account.ts'
import { findAccount } from '#server/admin/review/find-account.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { planNames } from '#server/api/contract/plans.ts'
import { operations } from '#server/api/documents/catalogue.ts'
import { endSessionsAsAdmin, getSessions } from '#server/auth/sessions.ts'
import { getLedgerPage } from '#server/billing/ledger-page.ts'
import { ownKeys, revokeKeyAsAdmin } from '#server/keys/own-keys.ts'
import { getRequestWithDetails, requestPage } from '#server/metering/requests.ts'
import { usageReport } from '#server/metering/usage-report.ts'
import { getAccess } from '#server/webhooks/access.ts'
import { getWebhooks, setWebhookAccess } from '#server/webhooks/endpoints.ts'
import { forAdmin, recent, router } from '../../procedures.ts'
import { PublicId } from '../public-id.ts'
import { accountProcedure } from './account-procedure.ts'
import { adminActor, ReasonInput } from './action-input.ts'
import { CustomerMessage } from './customer-message.ts'

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
const Before = z.object({
  before: z
    .string()
    .regex(/^\d{1,18}$/)
    .nullable(),
})
const LedgerPage = z.object({ cursor: z.string().max(100).nullable(), request: PublicId.nullable(), limit: z.int().min(1).max(100) })
const Calls = z.object({ isFailed: z.boolean(), before: PublicId.nullable(), limit: z.int().min(1).max(100) })
const Range = z.object({ from: z.string().max(10), to: z.string().max(10), by: z.enum(['endpoint', 'key', 'status']) })

const anyCall = { search: null, endpoint: null, key: null, status: null } as const
const ofOwn = z.int('Enter a whole number.').min(1, 'Enter 1 or more.').max(10_000_000, 'Enter 10,000,000 or less.').nullable()

const mutation = accountProcedure.input(ReasonInput)

/** Accounts. The rules are in the modules; each mutation takes a reason and writes an audit entry. */
export const adminAccountsRouter = router({
  list: forAdmin.input(List).query(({ ctx, input: { below, ...filter } }) => accountList(ctx.deps.pool, filter, below)),
  find: forAdmin.input(Search).query(({ ctx, input }) => findAccount(ctx.deps.pool, input.search)),
  read: accountProcedure.query(({ ctx }) => loadAdminAccount(ctx.deps.pool, ctx.accountId)),
  ledger: accountProcedure.input(LedgerPage).query(({ ctx, input }) => getLedgerPage(ctx.billing, ctx.accountId, input, operations)),
  requests: accountProcedure
    .input(Calls)
    .query(({ ctx, input: { isFailed, before, limit } }) =>
      requestPage(ctx.deps.pool, ctx.accountId, { ...anyCall, before, limit, ...(isFailed ? { minStatus: 400 } : {}) }, operations),
    ),
  request: accountProcedure.input(Thing).query(({ ctx, input }) => getRequestWithDetails(ctx.deps.pool, ctx.accountId, input.id, operations)),
  usage: accountProcedure.input(Range).query(({ ctx, input }) => usageReport(ctx.deps.pool, ctx.accountId, input, operations)),
  keys: accountProcedure.query(({ ctx }) => ownKeys(ctx.deps.pool, ctx.accountId)),
  webhooks: accountProcedure.query(async ({ ctx }) => ({
    ...(await getAccess(ctx.webhooks, ctx.accountId)),
    endpoints: await getWebhooks(ctx.webhooks, ctx.accountId),
  })),
  sessions: accountProcedure.query(({ ctx }) => getSessions(ctx.deps, ctx.accountId, '')),
  notes: accountProcedure.query(({ ctx }) => getNotes(ctx.deps.pool, ctx.accountId)),
  history: accountProcedure.input(Before).query(({ ctx, input }) => historyForAdmin(ctx.deps.pool, ctx.accountId, input.before)),

  block: mutation
    .use(recent)
    .input(z.object({ customerMessage: CustomerMessage }))
    .mutation(({ ctx, input }) =>
      blockAsAdmin(ctx.deps.pool, adminActor(ctx, input), ctx.accountId, input.customerMessage === '' ? null : input.customerMessage),
    ),
  unblock: mutation.use(recent).mutation(({ ctx, input }) => unblockAsAdmin(ctx.deps.pool, adminActor(ctx, input), ctx.accountId)),
  setPlan: mutation
    .use(recent)
    .input(z.object({ plan: z.enum(planNames, 'Choose a plan.') }))
    .mutation(({ ctx, input }) => changePlanAsAdmin(ctx.deps.pool, adminActor(ctx, input), ctx.accountId, input.plan)),
  setLimits: mutation
    .use(recent)
    .input(z.object({ perMinute: ofOwn, perDay: ofOwn }))
    .mutation(({ ctx, input: { perMinute, perDay, ...why } }) =>
      changeLimitsAsAdmin(ctx.deps.pool, adminActor(ctx, why), ctx.accountId, { perMinute, perDay }),
    ),
  setWebhooks: mutation
    .use(recent)
    .input(z.object({ isOn: z.boolean() }))
    .mutation(async ({ ctx, input }) => {
      const isChanged = await setWebhookAccess(ctx.webhooks, adminActor(ctx, input), ctx.accountId, input.isOn)
      if (!isChanged) throw new FieldsError({ form: `Webhooks are already ${input.isOn ? 'on' : 'off'}.` })
    }),
  revokeKey: mutation
    .use(recent)
    .input(Thing)
    .mutation(({ ctx, input }) => revokeKeyAsAdmin(ctx.deps.pool, adminActor(ctx, input), ctx.accountId, input.id)),
  endSessions: mutation.use(recent).mutation(({ ctx, input }) => endSessionsAsAdmin(ctx.deps, adminActor(ctx, input), ctx.accountId)),
  /** Stores the reason as the note. */
  addNote: mutation.mutation(({ ctx, input }) => addNote(ctx.deps.pool, adminActor(ctx, input), ctx.accountId)),
})
