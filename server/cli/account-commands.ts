import type { Command } from 'commander'
import type { Pool } from 'pg'
import { accountByEmail, approveAccount, blockAccount, changeLimits, changePlan, unblockAccount } from '#server/accounts/accounts.ts'
import type { Plan } from '#server/api/contract/plans.ts'
import { adjustCredits, openAccount, verifyLedger } from '#server/billing/ledger.ts'
import { setCap } from '#server/billing/spend-cap.ts'
import { addLedgerExport } from './billing-commands.ts'
import { withDatabase } from './context.ts'
import { numberOrNone, planName, wholeNumber } from './parse.ts'
import { addWebhookSwitch } from './webhook-commands.ts'

type Create = { email: string; password: string; plan: Plan; credits?: number; approve?: true; admin?: true }

const ofAdministrators = 'It is an administrator: sign in, turn two-factor sign-in on under Settings, and the desk is at /admin.'

function addCreate(account: Command): void {
  account
    .command('create')
    .description('make an account with a confirmed e-mail')
    .requiredOption('--email <email>', 'e-mail of the account')
    .requiredOption('--password <password>', 'password, 12 characters or more')
    .option('--plan <plan>', 'hobby, business or enterprise', planName, 'hobby')
    .option('--credits <n>', 'first balance in credits, instead of the starter credits', wholeNumber(0))
    .option('--approve', 'let its live keys work at once')
    .option('--admin', 'make it an administrator')
    .action((options: Create, command: Command) =>
      withDatabase(command, async ({ pool }) => {
        const request = { ...options, isAdmin: options.admin === true, isApproved: options.approve === true, isVerified: true }
        const opening = options.credits === undefined ? ({ kind: 'starter' } as const) : ({ kind: 'adjustment', credits: options.credits } as const)
        const made = await openAccount(pool, request, opening)
        const { isAdmin, isApproved } = request
        const result = { id: made.publicId, email: made.email, plan: options.plan, approved: isApproved, admin: isAdmin, balanceCredits: made.balanceCredits }
        const line = `${made.email} has the account ${made.publicId} with ${made.balanceCredits} credits.`
        return { result, lines: isAdmin ? [line, ofAdministrators] : [line] }
      }),
    )
}

function addStates(account: Command): void {
  const change = (name: string, what: string, run: typeof approveAccount) =>
    account
      .command(name)
      .description(what)
      .requiredOption('--account <account>', 'e-mail or id of the account')
      .option('--reason <reason>', 'why; a block shows it to the caller')
      .action((options: { account: string; reason?: string }, command: Command) =>
        withDatabase(command, async ({ pool }) => {
          await (name === 'block' ? blockAccount(pool, options.account, options.reason ?? null) : run(pool, options.account))
          return { result: { account: options.account, done: name }, lines: [`${options.account}: ${name} done. It holds from the next call on.`] }
        }),
      )
  change('approve', 'let the live keys of an account work', approveAccount)
  change('block', 'refuse every call of an account', (pool, email) => blockAccount(pool, email, null))
  change('unblock', 'take a block back', unblockAccount)
}

type Limits = { account: string; perMinute?: number; perDay?: number; spendCap?: number | 'none' }

async function changeOwnLimits(pool: Pool, { account, perMinute, perDay }: Limits): Promise<void> {
  const own = (value: number) => (value === 0 ? null : value)
  await changeLimits(pool, account, {
    ...(perMinute === undefined ? {} : { perMinute: own(perMinute) }),
    ...(perDay === undefined ? {} : { perDay: own(perDay) }),
  })
}

async function changeCap(pool: Pool, email: string, cap: number | 'none'): Promise<void> {
  const { id } = await accountByEmail(pool, email)
  await setCap({ pool }, id, cap === 'none' ? null : cap, { actor: 'operator' })
}

function addPlanAndLimits(account: Command): void {
  account
    .command('plan')
    .description('change the plan of an account')
    .requiredOption('--account <account>', 'e-mail or id of the account')
    .requiredOption('--plan <plan>', 'hobby, business or enterprise', planName)
    .action((options: { account: string; plan: Plan }, command: Command) =>
      withDatabase(command, async ({ pool }) => {
        await changePlan(pool, options.account, options.plan)
        return { result: options, lines: [`${options.account} is on the plan ${options.plan}.`] }
      }),
    )
  account
    .command('limits')
    .description('give an account limits of its own; 0 requests go back to those of its plan')
    .requiredOption('--account <account>', 'e-mail or id of the account')
    .option('--per-minute <n>', 'requests a minute for each live key', wholeNumber(0))
    .option('--per-day <n>', 'live requests a day for the account', wholeNumber(0))
    .option('--spend-cap <n>', 'most credits that its live keys spend in a UTC month; none takes the cap away', numberOrNone)
    .action((options: Limits, command: Command) =>
      withDatabase(command, async ({ pool }) => {
        if ([options.perMinute, options.perDay, options.spendCap].every((given) => given === undefined))
          throw new Error('Nothing was changed: give --per-minute, --per-day or --spend-cap.')
        await changeOwnLimits(pool, options)
        if (options.spendCap !== undefined) await changeCap(pool, options.account, options.spendCap)
        return { result: options, lines: [`${options.account}: limits changed.`] }
      }),
    )
}

export function addAccountCommands(program: Command): void {
  const account = program.command('account').description('accounts')
  addCreate(account)
  addStates(account)
  addPlanAndLimits(account)
  addWebhookSwitch(account)
}

export function addLedgerCommands(program: Command): void {
  program
    .command('credits')
    .description('credits')
    .command('grant')
    .description('add credits to an account')
    .requiredOption('--account <account>', 'e-mail or id of the account')
    .requiredOption('--credits <n>', 'credits to add', wholeNumber(1))
    .requiredOption('--reason <reason>', 'why; it stands in the ledger')
    .action((options: { account: string; credits: number; reason: string }, command: Command) =>
      withDatabase(command, async ({ pool }) => {
        const { id } = await accountByEmail(pool, options.account)
        const balanceCredits = await adjustCredits(pool, id, options.credits, options.reason)
        return { result: { account: options.account, credits: options.credits, balanceCredits }, lines: [`${options.account} has ${balanceCredits} credits.`] }
      }),
    )
  const ledger = program.command('ledger').description('the books')
  addLedgerExport(ledger)
  ledger
    .command('verify')
    .description('compare every balance with the sum of its entries')
    .action((_options: object, command: Command) =>
      withDatabase(command, async ({ pool }) => {
        const { accounts, differences } = await verifyLedger(pool)
        const ok = differences.length === 0
        const lines = ok
          ? [`${accounts} accounts: every balance is the sum of its entries.`]
          : differences.map((d) => `${d.account}: balance ${d.balance}, entries ${d.sum}`)
        return { result: { ok, accounts, differences }, lines, failed: !ok }
      }),
    )
}
