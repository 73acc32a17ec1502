import { smallestTopUpPence, topUpPresetsPence } from '#server/api/contract/top-ups.ts'
import { alertsOf } from './alerts.ts'
import { type AutoTopUp, autoTopUpOf } from './auto-top-up.ts'
import { readOverview } from './billing-overview.store.ts'
import { type BillingRoom, modeOf } from './billing-room.ts'
import { findCustomer } from './customers.store.ts'
import type { PaymentMode } from './payments.ts'
import { type SpendCap, spendCapOf } from './spend-cap.ts'
import { type TopUp, topUpFromDb } from './top-up.ts'
import { findTopUp, readTopUps } from './top-ups.store.ts'

export type BillingOverview = {
  readonly balanceCredits: number
  /** Why the balance is below zero; null when it is not. Credits are what the entry took. */
  readonly debt: { readonly kind: string; readonly credits: number; readonly at: string } | null
  readonly spendCap: SpendCap
  /** Null: nobody can pay on this service. */
  readonly mode: PaymentMode | null
  readonly card: { readonly brand: string; readonly last4: string; readonly expires: string } | null
  readonly autoTopUp: AutoTopUp | null
  readonly alertThresholds: readonly number[]
  readonly smallestTopUpPence: number
  readonly presetsPence: readonly number[]
  /** Per cent of VAT within every price; null when none is shown. */
  readonly vatPercent: number | null
}

async function cardOf({ pool, settings }: BillingRoom, accountId: number): Promise<BillingOverview['card']> {
  const mode = modeOf(settings)
  const row = mode && (await findCustomer(pool, accountId, mode))
  return row?.payment_method_id ? { brand: row.card_brand ?? 'card', last4: row.card_last4 ?? '', expires: row.card_expires ?? '' } : null
}

/** How an account stands with its money. How long the balance lasts is told by `account.overview`. */
export async function billingOverview(room: BillingRoom, accountId: number): Promise<BillingOverview> {
  const [row, card, autoTopUp, alertThresholds, spendCap] = await Promise.all([
    readOverview(room.pool, accountId),
    cardOf(room, accountId),
    autoTopUpOf(room, accountId),
    alertsOf(room, accountId),
    spendCapOf(room, accountId),
  ])
  if (!row) throw new Error(`Account ${accountId} has no wallet.`)
  const { debt_kind: kind, debt_credits: credits, debt_at: at } = row
  const vat = room.settings.vat
  return {
    balanceCredits: Number(row.balance),
    debt: kind !== null && at !== null ? { kind, credits: Number(credits), at: at.toISOString() } : null,
    spendCap,
    mode: modeOf(room.settings),
    card,
    autoTopUp,
    alertThresholds,
    smallestTopUpPence,
    presetsPence: topUpPresetsPence,
    vatPercent: vat ? vat.basisPoints / 100 : null,
  }
}

/**
 * A top-up of an account and the balance, for the page that waits for its money; null: it has none of this id. The balance is read behind the top-up, so
 * that the credits of one that is paid are in it.
 */
export async function topUpOf({ pool }: BillingRoom, accountId: number, id: string): Promise<(TopUp & { readonly balanceCredits: number }) | null> {
  const row = await findTopUp(pool, accountId, id)
  return row ? { ...topUpFromDb(row), balanceCredits: Number((await readOverview(pool, accountId))?.balance ?? 0) } : null
}

const mostTopUps = 50

/** Top-ups that came to something, newest first; `cursor` is what the page before gave. */
export async function topUpsOf({ pool }: BillingRoom, accountId: number, cursor: string | null): Promise<{ topUps: TopUp[]; nextCursor: string | null }> {
  const rows = await readTopUps(pool, accountId, cursor, mostTopUps + 1)
  const shown = rows.slice(0, mostTopUps)
  return { topUps: shown.map(topUpFromDb), nextCursor: rows.length > mostTopUps ? (shown.at(-1)?.id ?? null) : null }
}
