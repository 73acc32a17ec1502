import { accountByEmail } from '#server/accounts/accounts.ts'
import { operations } from '#server/api/documents/catalogue.ts'
import type { BillingDeps } from '#server/billing/billing-deps.ts'
import { openBilling } from '#server/billing/open-billing.ts'
import { reverseSimulatedPurchases } from '#server/billing/production-guard.ts'
import { reconcile } from '#server/billing/reconcile-payments.ts'
import { type ExportFormat, exportFormats, exportLedger } from '#server/billing/statement.ts'
import { readEnv } from '#server/env.ts'
import { createLog } from '#server/observability/log.ts'
import type { ServiceDatabase } from '#server/runtime/database.ts'
import { getSecret } from '#server/runtime/secret.ts'
import { onDatabase, oneOf, type SvcCommand, wholeNumber } from './context.ts'
import { writeText } from './output.ts'

async function depsOn({ pool }: ServiceDatabase): Promise<BillingDeps> {
  const env = readEnv()
  return openBilling(
    { ...env.payment, developmentFeatures: env.developmentFeatures, publicUrl: env.publicUrl, secret: await getSecret(env) },
    pool,
    createLog('warn'),
  )
}

function addReverseSimulated(billing: SvcCommand): void {
  billing
    .sub('reverse-simulated', 'reverse the credits of purchases without real money (simulated or Stripe test mode)')
    .option('--dry-run', 'list the purchases without reversing them')
    .onDatabase(async ({ dryRun: isDryRun = false }: { dryRun?: boolean }, { pool }) => {
      const purchases = await reverseSimulatedPurchases(pool, { isDryRun })
      const credits = purchases.reduce((sum, one) => sum + one.credits, 0)
      const lines = purchases.map((one) => `${one.topUp}  ${one.account}  ${one.mode}  ${one.credits} credits`)
      const done = isDryRun ? 'would be reversed' : 'reversed'
      return { result: { dryRun: isDryRun, credits, purchases }, lines: [...lines, `Purchases ${done}: ${purchases.length}, ${credits} credits.`] }
    })
}

export function addBillingCommands(program: SvcCommand): void {
  const billing = program.sub('billing', 'manage payments')
  addReverseSimulated(billing)
  billing
    .sub('reconcile', 'compare payments, refunds and disputes at Stripe with the ledger; changes nothing')
    .option('--days <n>', 'number of days back', wholeNumber(1), 35)
    .onDatabase(async (options: { days: number }, database) => {
      const { days, compared, differences } = await reconcile(await depsOn(database), options.days)
      const ok = differences.length === 0
      const lines = ok
        ? [`${compared} payments, refunds and disputes in the last ${days} days: Stripe and the ledger match.`]
        : differences.map(({ subject, problem }) => `${subject}: ${problem}`)
      return { result: { ok, days, compared, differences }, lines, failed: !ok }
    })
}

/** Adds the command `ledger export`. */
export function addLedgerExport(ledger: SvcCommand): void {
  ledger
    .accountSub('export', "print an account's statement for a month: every charge and entry with the balance after it")
    .requiredOption('--month <month>', 'UTC month, such as 2026-11')
    .option('--format <format>', 'csv or json', oneOf(exportFormats), 'csv')
    .action((options: { account: string; month: string; format: ExportFormat }, command: SvcCommand) =>
      onDatabase(async (database) => {
        const { id } = await accountByEmail(database.pool, options.account)
        const format = command.isJson ? 'json' : options.format
        const asked = { accountId: id, month: options.month, format, endpoints: operations }
        for await (const piece of exportLedger(await depsOn(database), asked)) await writeText(piece)
      }),
    )
}
