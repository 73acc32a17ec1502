import { type AccountRequest, createAccount } from '#server/accounts/accounts.ts'
import { starterCredits } from '#server/api/contract/access.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { inLongTransaction, inTransaction } from '#server/db/transaction.ts'
import { enterCredits, type LedgerReport, readDifferences } from './ledger.sql.ts'

/** Thrown when a ledger entry is impossible; the message gives the reason. */
export class LedgerError extends Error {
  override name = 'LedgerError'
}

/** First credits of an account: the starter credits, or an amount set by the operator. */
type Opening = { kind: 'starter' } | { kind: 'adjustment'; credits: number }

/** Creates an account together with its first credits. */
export async function openAccount(db: Database, request: AccountRequest, opening: Opening) {
  return inTransaction(db, async (tx) => {
    const account = await createAccount(tx, request)
    const entry =
      opening.kind === 'starter'
        ? { kind: 'starter' as const, credits: starterCredits, reason: 'Starter credits.' }
        : { kind: 'adjustment' as const, credits: opening.credits, reason: 'Opening credits from the operator.' }
    const isEntered = entry.credits !== 0 && (request.isVerified || opening.kind === 'adjustment')
    const balanceCredits = isEntered ? await enterCredits(tx, { accountId: account.id, actor: 'operator', reference: null, ...entry }) : 0
    return { ...account, balanceCredits: balanceCredits ?? 0 }
  })
}

/** Adds credits, or deducts them if negative. Returns the new balance. */
export async function adjustCredits(db: Database, accountId: number, credits: number, reason: string): Promise<number> {
  if (!Number.isSafeInteger(credits) || credits === 0) throw new LedgerError('Credits must be a whole number other than 0.')
  const balance = await enterCredits(db, { accountId, kind: 'adjustment', credits, actor: 'operator', reason, reference: null })
  if (balance === null) throw new LedgerError('This account has no wallet.')
  return balance
}

/** Ten minutes, because adding up the whole log takes longer than the timeouts for pages and calls allow. */
const verifyTimeoutMs = 600_000

/** Compares every balance with the sum of its entries. */
export const verifyLedger = (db: Database): Promise<LedgerReport> => inLongTransaction(db, verifyTimeoutMs, readDifferences)

/** Does the same as `verifyLedger`, but with the snapshot and the time limit of the caller's transaction. */
export const verifyLedgerWithin = readDifferences

/** Adds the starter credits to an account whose email was just confirmed. The database rejects a second attempt. Returns the new balance in credits. */
export async function addStarterCredits(tx: Transaction, accountId: number): Promise<number> {
  const entry = { accountId, kind: 'starter', credits: starterCredits, actor: 'service', reason: 'Starter credits.', reference: null } as const
  const balance = await enterCredits(tx, entry)
  if (balance === null) throw new Error(`Account ${accountId} has no wallet.`)
  return balance
}
