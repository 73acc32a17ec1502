import { smallestTopUpPence, topUpPresetsPence } from '#server/api/contract/top-ups.ts'
import { type AutoTopUp, getAutoTopUp } from './auto-top-up.ts'
import { type BillingDeps, getPaymentMode } from './billing-deps.ts'
import { readOverview } from './billing-overview.store.ts'
import { findCustomer } from './customers.store.ts'
import { getAlertThresholds } from './low-balance-alerts.ts'
import type { PaymentMode } from './payments.ts'
import { getSpendCap, type SpendCap } from './spend-cap.ts'
import { type TopUp, topUpFromDb } from './top-up.ts'
import { findTopUp, readTopUps } from './top-ups.store.ts'

export type BillingOverview = {
  readonly balanceCredits: number
  /** Entry that took the balance below zero, with the credits it deducted; null if the balance is not below zero. */
  readonly debt: { readonly kind: string; readonly credits: number; readonly at: string } | null
  readonly spendCap: SpendCap
  /** Payment mode; null if payments are unavailable on this service. */
  readonly mode: PaymentMode | null
  readonly card: { readonly brand: string; readonly last4: string; readonly expires: string } | null
  readonly autoTopUp: AutoTopUp | null
  readonly alertThresholds: readonly number[]
  readonly smallestTopUpPence: number
  readonly presetsPence: readonly number[]
  /** VAT percentage included in prices; null if none is shown. */
  readonly vatPercent: number | null
}

async function findCard({ pool, settings }: BillingDeps, accountId: number): Promise<BillingOverview['card']> {
  const mode = getPaymentMode(settings)
  const row = mode && (await findCustomer(pool, accountId, mode))
  return row?.payment_method_id ? { brand: row.card_brand ?? 'card', last4: row.card_last4 ?? '', expires: row.card_expires ?? '' } : null
}

/** Returns the billing overview of an account. How long the balance lasts is part of `account.overview`. */
export async function getBillingOverview(deps: BillingDeps, accountId: number): Promise<BillingOverview> {
  const [row, card, autoTopUp, alertThresholds, spendCap] = await Promise.all([
    readOverview(deps.pool, accountId),
    findCard(deps, accountId),
    getAutoTopUp(deps, accountId),
    getAlertThresholds(deps, accountId),
    getSpendCap(deps, accountId),
  ])
  if (!row) throw new Error(`Account ${accountId} has no wallet.`)
  const { debt_kind: kind, debt_credits: credits, debt_at: at } = row
  const vat = deps.settings.vat
  return {
    balanceCredits: Number(row.balance),
    debt: kind !== null && at !== null ? { kind, credits: Number(credits), at: at.toISOString() } : null,
    spendCap,
    mode: getPaymentMode(deps.settings),
    card,
    autoTopUp,
    alertThresholds,
    smallestTopUpPence,
    presetsPence: topUpPresetsPence,
    vatPercent: vat ? vat.basisPoints / 100 : null,
  }
}

/**
 * Returns a top-up of the account and its balance, for the page that waits for the payment; null if there is none with this id. Reads the balance after the
 * top-up, so that it includes the credits of a paid one.
 */
export async function getTopUp({ pool }: BillingDeps, accountId: number, id: string): Promise<(TopUp & { readonly balanceCredits: number }) | null> {
  const row = await findTopUp(pool, accountId, id)
  return row ? { ...topUpFromDb(row), balanceCredits: Number((await readOverview(pool, accountId))?.balance ?? 0) } : null
}

const pageSize = 50

/** Returns a page of top-ups, newest first, leaving out those never paid; `cursor` is the previous page's `nextCursor`. */
export async function listTopUps({ pool }: BillingDeps, accountId: number, cursor: string | null): Promise<{ topUps: TopUp[]; nextCursor: string | null }> {
  const rows = await readTopUps(pool, accountId, cursor, pageSize + 1)
  const shown = rows.slice(0, pageSize)
  return { topUps: shown.map(topUpFromDb), nextCursor: rows.length > pageSize ? (shown.at(-1)?.id ?? null) : null }
}
