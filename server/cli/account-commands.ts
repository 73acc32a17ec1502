import { accountByEmail, approveAccount, blockAccount, changeLimits, changePlan, unblockAccount } from '#server/accounts/accounts.ts'
import type { Plan, Scope } from '#server/api/contract/access.ts'
import type { Mode } from '#server/api/contract/endpoint.ts'
import { operations } from '#server/api/documents/catalogue.ts'
import { setCap } from '#server/billing/billing-overview.ts'
import { adjustCredits, openAccount, verifyLedger } from '#server/billing/ledger.ts'
import type { Database } from '#server/db/prisma.ts'
import { createKey, createPartnerKey, KeyRequestError, revokeKey } from '#server/keys/keys.ts'
import { findRequestAccount, getRequestWithDetails } from '#server/metering/requests.ts'
import { addLedgerExport } from './billing-commands.ts'
import { commaList, moment, numberOrNone, oneOf, planName, type SvcCommand, scopeList, wholeNumber } from './context.ts'
import { addWebhookSwitch } from './webhook-commands.ts'

type Create = { email: string; password: string; plan: Plan; credits?: number; approve?: true; admin?: true }

const adminHint = 'This is an administrator account. Sign in, turn on two-factor sign-in under Settings, then open /admin.'

function addCreate(account: SvcCommand): void {
  account
    .sub('create', 'create an account with a confirmed email')
    .requiredOption('--email <email>', 'email of the account')
    .requiredOption('--password <password>', 'password, at least 12 characters')
    .option('--plan <plan>', 'hobby, business or enterprise', planName, 'hobby')
    .option('--credits <n>', 'initial balance in credits, instead of the starter credits', wholeNumber(0))
    .option('--approve', 'approve the account, so that live keys work immediately')
    .option('--admin', 'make the account an administrator account')
    .onDatabase(async (options: Create, { pool }) => {
      const request = { ...options, isAdmin: options.admin === true, isApproved: options.approve === true, isVerified: true }
      const opening = options.credits === undefined ? ({ kind: 'starter' } as const) : ({ kind: 'adjustment', credits: options.credits } as const)
      const made = await openAccount(pool, request, opening)
      const { isAdmin, isApproved } = request
      const result = { id: made.publicId, email: made.email, plan: options.plan, approved: isApproved, admin: isAdmin, balanceCredits: made.balanceCredits }
      const line = `Created account ${made.publicId} for ${made.email} with ${made.balanceCredits} credits.`
      return { result, lines: isAdmin ? [line, adminHint] : [line] }
    })
}

function addStates(account: SvcCommand): void {
  const change = (name: string, description: string, done: string, run: typeof blockAccount) =>
    account
      .accountSub(name, description)
      .option('--reason <reason>', 'reason (for a block, shown to callers)')
      .onDatabase(async (options: { account: string; reason?: string }, { pool }) => {
        await run(pool, options.account, options.reason ?? null)
        return { result: { account: options.account, done: name }, lines: [`${done} ${options.account}. Effective immediately.`] }
      })
  change('approve', 'approve an account for live keys', 'Approved', approveAccount)
  change('block', 'reject every call of an account', 'Blocked', blockAccount)
  change('unblock', 'lift a block', 'Unblocked', unblockAccount)
}

type Limits = { account: string; perMinute?: number; perDay?: number; spendCap?: number | 'none' }

async function changeOwnLimits(pool: Database, { account, perMinute, perDay }: Limits): Promise<void> {
  const own = (value: number) => (value === 0 ? null : value)
  await changeLimits(pool, account, {
    ...(perMinute === undefined ? {} : { perMinute: own(perMinute) }),
    ...(perDay === undefined ? {} : { perDay: own(perDay) }),
  })
}

async function changeCap(pool: Database, email: string, cap: number | 'none'): Promise<void> {
  const { id } = await accountByEmail(pool, email)
  await setCap({ pool }, id, cap === 'none' ? null : cap, { actor: 'operator' })
}

function addPlanAndLimits(account: SvcCommand): void {
  account
    .accountSub('plan', 'change the plan of an account')
    .requiredOption('--plan <plan>', 'hobby, business or enterprise', planName)
    .onDatabase(async (options: { account: string; plan: Plan }, { pool }) => {
      await changePlan(pool, options.account, options.plan)
      return { result: options, lines: [`Changed the plan of ${options.account} to ${options.plan}.`] }
    })
  account
    .accountSub('limits', "set custom limits for an account; a request limit of 0 restores the plan's limit")
    .option('--per-minute <n>', 'requests per minute for each live key', wholeNumber(0))
    .option('--per-day <n>', 'live requests per day for the account', wholeNumber(0))
    .option('--spend-cap <n>', 'maximum credits that its live keys can spend per UTC month; none removes the cap', numberOrNone)
    .onDatabase(async (options: Limits, { pool }) => {
      if ([options.perMinute, options.perDay, options.spendCap].every((given) => given === undefined))
        throw new Error('Nothing to change. Pass --per-minute, --per-day or --spend-cap.')
      await changeOwnLimits(pool, options)
      if (options.spendCap !== undefined) await changeCap(pool, options.account, options.spendCap)
      return { result: options, lines: [`Changed the limits of ${options.account}.`] }
    })
}

export function addAccountCommands(program: SvcCommand): void {
  const account = program.sub('account', 'manage accounts')
  addCreate(account)
  addStates(account)
  addPlanAndLimits(account)
  addWebhookSwitch(account)
}

export function addLedgerCommands(program: SvcCommand): void {
  program
    .sub('credits', 'manage credits')
    .accountSub('grant', 'add credits to an account')
    .requiredOption('--credits <n>', 'credits to add', wholeNumber(1))
    .requiredOption('--reason <reason>', 'reason, recorded in the ledger')
    .onDatabase(async (options: { account: string; credits: number; reason: string }, { pool }) => {
      const { id } = await accountByEmail(pool, options.account)
      const balanceCredits = await adjustCredits(pool, id, options.credits, options.reason)
      return {
        result: { account: options.account, credits: options.credits, balanceCredits },
        lines: [`Added ${options.credits} credits to ${options.account}. Balance: ${balanceCredits}.`],
      }
    })
  const ledger = program.sub('ledger', 'verify and export the ledger')
  addLedgerExport(ledger)
  ledger.sub('verify', 'compare every balance with the sum of its entries').onDatabase(async (_options: object, { pool }) => {
    const { accounts, differences } = await verifyLedger(pool)
    const ok = differences.length === 0
    const lines = ok
      ? [`${accounts} accounts: every balance equals the sum of its entries.`]
      : differences.map((d) => `${d.account}: balance ${d.balance}, entries ${d.sum}`)
    return { result: { ok, accounts, differences }, lines, failed: !ok }
  })
}

type CreateKey = { account: string; mode: Mode | 'partner'; scopes?: Scope[]; ips?: string[]; spendCap?: number; expires?: Date; name?: string }

/** Creates a key. Rejects (rather than ignores) `--scopes` and `--spend-cap` for partner keys, which have neither scopes nor a cap. */
async function create(pool: Database, accountId: number, options: CreateKey): Promise<{ id: string; key: string }> {
  const { mode, scopes, spendCap } = options
  const use = { accountId, name: options.name ?? '', addresses: options.ips ?? [], expiresAt: options.expires ?? null }
  if (mode !== 'partner') return createKey(pool, { ...use, mode, scopes: scopes ?? scopeList('all'), spendCapCredits: spendCap ?? null })
  if (scopes !== undefined || spendCap !== undefined) throw new KeyRequestError("Partner keys don't support --scopes or --spend-cap.")
  return createPartnerKey(pool, use)
}

export function addKeyCommands(program: SvcCommand): void {
  const key = program.sub('key', 'manage API keys')
  key
    .accountSub('create', 'create a key, which is shown only once')
    .requiredOption('--mode <mode>', 'test, live, or partner (for the legacy API)', oneOf(['test', 'live', 'partner']))
    .option('--scopes <scopes>', 'comma-separated scopes, or all (default)', scopeList)
    .option('--ips <ranges>', 'comma-separated IP addresses and CIDR ranges that can use the key', commaList)
    .option('--spend-cap <n>', 'maximum credits per calendar month', wholeNumber(0))
    .option('--expires <time>', 'expiry, ISO 8601', moment)
    .option('--name <name>', 'display name')
    .onDatabase(async (options: CreateKey, { pool }) => {
      const { id: accountId } = await accountByEmail(pool, options.account)
      const made = await create(pool, accountId, options)
      return { result: made, lines: [made.key, `Created key ${made.id}. The key is not shown again.`] }
    })
  key
    .sub('revoke', 'revoke a key, effective immediately')
    .requiredOption('--id <id>', 'id of the key')
    .onDatabase(async (options: { id: string }, { pool }) => {
      await revokeKey(pool, options.id)
      return { result: { id: options.id, revoked: true }, lines: [`Revoked ${options.id}.`] }
    })
}

const notFound =
  'Request not found. Pass the full id (req_ and 32 hexadecimal digits) of a call that was made with a valid key in the last 30 days. Calls that failed with a 500 are in the process log; calls with an unknown key are logged only with LOG_LEVEL=debug.'

/** Describes a call in human-readable lines. */
function describe(call: Awaited<ReturnType<typeof getRequestWithDetails>>, { publicId, email }: { publicId: string; email: string }): string[] {
  const { charge } = call
  return [
    `${call.id}: ${call.endpoint.name} at ${call.at.toISOString()}, processed in ${call.tookMs} ms.`,
    `Request:  ${call.target === null ? 'no longer stored' : `${call.method} ${call.target}`}`,
    `Caller:   ${email} (${publicId}), key ${call.key.name} (${call.key.id}, ${call.key.mode})`,
    `Response: ${call.status}${call.error === null ? '' : ` ${call.error}`}${call.message === null ? '' : `: ${call.message}`}`,
    `Charge:   ${charge.credits} credits${charge.freeBy === null ? '' : ` (${charge.freeBy})`}${call.givenBack ? ', refunded' : ''}; balance after: ${call.balanceAfter}.`,
  ]
}

export function addRequestCommands(program: SvcCommand): void {
  program
    .sub('request', 'inspect API calls')
    .sub('show', 'show a call: caller, response, error and charge')
    .requiredOption('--id <id>', 'request id')
    .onDatabase(async ({ id }: { id: string }, { pool }) => {
      const account = await findRequestAccount(pool, id)
      if (account === null) throw new Error(notFound)
      const call = await getRequestWithDetails(pool, account.id, id, operations)
      return { result: { account: account.publicId, email: account.email, ...call }, lines: describe(call, account) }
    })
}
