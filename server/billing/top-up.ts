import type { TopUpRow, TopUpState } from './top-ups.store.ts'

/** Top-up as shown to its owner. `grossPence` is the amount paid, including VAT. */
export type TopUp = {
  readonly id: string
  readonly state: TopUpState
  readonly isAutomatic: boolean
  readonly isSimulated: boolean
  readonly credits: number
  readonly netPence: number
  readonly vatPence: number
  readonly grossPence: number
  /** VAT percentage, such as 20 or 17.5; null if no VAT is shown. */
  readonly vatPercent: number | null
  readonly createdAt: string
  readonly paidAt: string | null
  /** Reason for the failure, shown to the owner. */
  readonly failure: string | null
  readonly refundedCredits: number
  readonly disputedCredits: number
}

export function topUpFromDb(row: TopUpRow): TopUp {
  const grossPence = Number(row.amount_pence)
  const vatPence = Number(row.vat_pence)
  return {
    id: row.public_id,
    state: row.state,
    isAutomatic: row.origin === 'auto',
    isSimulated: row.mode === 'simulated',
    credits: Number(row.credits),
    netPence: grossPence - vatPence,
    vatPence,
    grossPence,
    vatPercent: row.vat_basis_points === null ? null : row.vat_basis_points / 100,
    createdAt: row.created_at.toISOString(),
    paidAt: row.paid_at?.toISOString() ?? null,
    failure: row.failure,
    refundedCredits: Number(row.refunded_credits),
    disputedCredits: Number(row.disputed_credits),
  }
}
