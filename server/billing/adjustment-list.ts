import { isOwnAccount } from '#server/accounts/permissions.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { clock } from '#server/clock.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { Database } from '#server/db/prisma.ts'
import { getMovedCredits } from './adjustments.ts'
import type { BillingDeps } from './billing-deps.ts'

const number = (value: number): string => value.toLocaleString('en-GB')

/** Returns the action that an adjustment performs: `Add 50 credits`, `Deduct 1 credit`. */
const toLabel = (credits: number): string => `${credits > 0 ? 'Add' : 'Deduct'} ${number(Math.abs(credits))} ${Math.abs(credits) === 1 ? 'credit' : 'credits'}`

/** Describes the effect of an adjustment on a balance. */
const toEffect = (credits: number, balance: number): string =>
  `${credits > 0 ? 'Adds' : 'Deducts'} ${number(Math.abs(credits))}. New balance ${number(balance + credits).replace('-', '−')}. Can be reversed but not edited.`

const person = { select: { publicId: true, email: true } } as const

const listed = {
  id: true,
  publicId: true,
  credits: true,
  note: true,
  reason: true,
  state: true,
  proposedAt: true,
  /** Null if no second administrator was needed. */
  endsAt: true,
  decidedAt: true,
  decisionReason: true,
  proposer: person,
  decider: person,
  account: { select: { publicId: true, email: true, closedAt: true, wallet: { select: { balance: true } } } },
} as const satisfies Prisma.CreditAdjustmentSelect

/** Returns an adjustment as administrators see it, with public ids and email addresses of the account and the administrators. */
function toAdjustment({ publicId, account, proposer, decider, state, ...row }: Prisma.CreditAdjustmentGetPayload<{ select: typeof listed }>) {
  return {
    ...row,
    id: publicId,
    account: account.publicId,
    accountEmail: account.email,
    isClosed: account.closedAt !== null,
    label: toLabel(row.credits),
    effect: toEffect(row.credits, Number(account.wallet?.balance ?? 0)),
    /** Current balance of the account. */
    balanceCredits: Number(account.wallet?.balance ?? 0),
    /** `ended` means that the proposal expired without a decision. */
    state: state === 'waiting' && row.endsAt !== null && row.endsAt.getTime() <= clock.now() ? ('ended' as const) : state,
    proposedBy: proposer.publicId,
    proposedByEmail: proposer.email,
    decidedBy: decider?.publicId ?? null,
    decidedByEmail: decider?.email ?? null,
  }
}

const pageSize = 50
const maxPerAccount = 20
const maxCounted = 1_000

const isOpen = () => ({ state: 'waiting', endsAt: { gt: new Date(clock.now()) } }) as const

/** The first proposal to expire is the oldest, because all have the same time limit. */
const oldestFirst = [{ endsAt: 'asc' }, { id: 'asc' }] as const satisfies Prisma.CreditAdjustmentOrderByWithRelationInput[]

/** Counts the open proposals, up to 1,000, and returns when the oldest was made. */
export async function countOpenProposals(db: Database): Promise<{ count: number; oldest: Date | null }> {
  const [count, oldest] = await Promise.all([
    db.creditAdjustment.count({ where: isOpen(), take: maxCounted }),
    db.creditAdjustment.findFirst({ where: isOpen(), orderBy: [...oldestFirst], select: { proposedAt: true } }),
  ])
  return { count, oldest: oldest?.proposedAt ?? null }
}

/** Returns a page of 50 open proposals, oldest first; pass `next` as `after` to get the next page. */
export async function listOpenProposals(db: Database, after: string | null) {
  // No Prisma cursor: the proposal that it points to may have been decided in the meantime, and the cursor would then skip an open one.
  const last = after === null ? null : await db.creditAdjustment.findFirst({ where: { id: Number(after) }, select: { id: true, endsAt: true } })
  const rest = last?.endsAt ? { OR: [{ endsAt: { gt: last.endsAt } }, { endsAt: last.endsAt, id: { gt: last.id } }] } : {}
  const rows = await db.creditAdjustment.findMany({ where: { AND: [isOpen(), rest] }, orderBy: [...oldestFirst], take: pageSize + 1, select: listed })
  const shown = rows.slice(0, pageSize)
  return { proposals: shown.map(toAdjustment), next: rows.length > pageSize ? String(shown.at(-1)?.id) : null }
}

/**
 * Returns the data for the adjustment form: the account's state and adjustments, the credits that the administrator has moved without approval in the last day,
 * and the limit on them.
 */
export async function getAdjustmentTerms({ pool: db, settings }: BillingDeps, accountId: number, adminId: number) {
  const [account, movedTodayCredits, rows] = await Promise.all([
    db.account.findUnique({ where: { id: accountId }, select: { email: true, closedAt: true, wallet: { select: { balance: true } } } }),
    getMovedCredits(db, accountId, adminId),
    db.creditAdjustment.findMany({ where: { accountId }, orderBy: { id: 'desc' }, take: maxPerAccount, select: listed }),
  ])
  if (!account?.wallet) throw new Error(`Account ${accountId} has no wallet.`)
  return {
    email: account.email,
    balanceCredits: Number(account.wallet.balance),
    isClosed: account.closedAt !== null,
    /** True for accounts that the administrator has access to as a customer, for which every adjustment needs approval. */
    isOwn: await isOwnAccount(db, adminId, accountId),
    movedTodayCredits,
    aloneCredits: settings.fourEyesCredits,
    adjustments: rows.map(toAdjustment),
  }
}

/**
 * Describes an adjustment for the administrator who is about to confirm it, and says whether a second administrator has to approve it.
 * @throws FieldsError
 */
export async function previewAdjustment(deps: BillingDeps, accountId: number, adminId: number, credits: number) {
  const { balanceCredits, isClosed, isOwn, movedTodayCredits, aloneCredits } = await getAdjustmentTerms(deps, accountId, adminId)
  if (isClosed) throw new FieldsError({ form: 'This account is closed. Its credits can no longer be adjusted.' })
  if (!Number.isInteger(credits) || credits === 0) throw new FieldsError({ credits: 'Enter a whole number other than 0.' })
  if (credits < 0 && balanceCredits + credits < 0) throw new FieldsError({ credits: 'The balance would fall below 0. Deduct fewer credits.' })
  const isProposal = isOwn || movedTodayCredits + Math.abs(credits) > aloneCredits
  const moved = movedTodayCredits === 0 ? '' : ` You have already used ${number(movedTodayCredits)} of these credits in the last day.`
  const why = isOwn ? 'This is your own account.' : `One administrator can adjust an account by up to ${number(aloneCredits)} credits a day.${moved}`
  const approval = [
    'Second administrator required.',
    `${why} Nothing changes until another administrator approves the adjustment. The proposal expires after 7 days.`,
  ]
  const label = toLabel(credits)
  return {
    lines: [toEffect(credits, balanceCredits), ...(isProposal ? approval : [])],
    message: null,
    button: isProposal ? `Propose: ${label.toLowerCase()}` : label,
  }
}
