import type { ClientBase, Pool } from 'pg'
import { type AccountRequest, createAccount } from '#server/accounts/accounts.ts'
import { starterCredits } from '#server/api/contract/plans.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { insertEntry, type LedgerLine, type LedgerReport, readDifferences, readDifferencesWithin, readLedger } from './ledger.store.ts'

/** Credits cannot be entered as asked; the message says why. */
export class LedgerError extends Error {
  override name = 'LedgerError'
}

/** The account's first credits: the starter credits, or what an operator gives instead. */
type Opening = { kind: 'starter' } | { kind: 'adjustment'; credits: number }

/** Makes an account with its first credits: both, or neither. */
export async function openAccount(pool: Pool, request: AccountRequest, opening: Opening) {
  return inTransaction(pool, async (client) => {
    const account = await createAccount(client, request)
    const entry =
      opening.kind === 'starter'
        ? { kind: 'starter' as const, credits: starterCredits, reason: 'Starter credits.' }
        : { kind: 'adjustment' as const, credits: opening.credits, reason: 'First credits, given by the operator.' }
    const isEntered = entry.credits !== 0 && (request.isVerified || opening.kind === 'adjustment')
    const balanceCredits = isEntered ? await insertEntry(client, { accountId: account.id, actor: 'operator', reference: null, ...entry }) : 0
    return { ...account, balanceCredits: balanceCredits ?? 0 }
  })
}

/** Adds (or with a negative number takes) credits. Returns the new balance. */
export async function adjustCredits(pool: Pool, accountId: number, credits: number, reason: string): Promise<number> {
  if (!Number.isSafeInteger(credits) || credits === 0) throw new LedgerError('Credits must be a whole number other than 0.')
  const balance = await insertEntry(pool, { accountId, kind: 'adjustment', credits, actor: 'operator', reason, reference: null })
  if (balance === null) throw new LedgerError('This account has no wallet.')
  return balance
}

/** Compares every balance with the sum of its entries. */
export function verifyLedger(pool: Pool): Promise<LedgerReport> {
  return readDifferences(pool)
}

/** The same as a transaction of the caller sees it, which no time limit cuts off. */
export function verifyLedgerWithin(client: ClientBase): Promise<LedgerReport> {
  return readDifferencesWithin(client)
}

/** The last entries of an account, charges included, oldest first; at most 1,000. */
export function ledgerOf(pool: Pool, accountId: number): Promise<LedgerLine[]> {
  return readLedger(pool, accountId, 1_000)
}
