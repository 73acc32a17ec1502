import { credits, number } from './amounts.ts'

type FreeReason = 'error' | 'unchanged' | 'test' | 'free' | 'replay' | 'no rows'

export type ShownCharge = {
  readonly units: number
  readonly per: 'row' | 'request'
  readonly unitCredits: number
  readonly credits: number
  readonly freeBy: FreeReason | null
}

const shortReasons = {
  error: 'error',
  unchanged: 'not modified',
  test: 'test key',
  free: 'free endpoint',
  replay: 'replay',
  'no rows': 'no rows',
} as const satisfies Record<FreeReason, string>

const reasons = {
  error: 'Free: errors are never charged.',
  unchanged: 'Free: not modified since your last request.',
  test: 'Free: test keys are not charged.',
  free: 'Free: this endpoint has no charge.',
  replay: 'Free: replayed response, already charged under the same Idempotency-Key.',
  'no rows': 'Free: no rows returned.',
} as const satisfies Record<FreeReason, string>

const counted = ({ units, per }: ShownCharge): string => `${number(units)} ${per === 'row' ? 'row' : 'call'}${units === 1 ? '' : 's'}`

/** `5 rows × 1 credit = 5`, or the reason why the call was free. */
export function chargeText(charge: ShownCharge): string {
  if (charge.freeBy !== null) return reasons[charge.freeBy]
  return `${counted(charge)} × ${credits(charge.unitCredits)} = ${number(charge.credits)}`
}

/** Short form for a table column: `5 rows × 1`, `test key`. */
export function shortChargeText(charge: ShownCharge): string {
  return charge.freeBy === null ? `${counted(charge)} × ${number(charge.unitCredits)}` : shortReasons[charge.freeBy]
}
