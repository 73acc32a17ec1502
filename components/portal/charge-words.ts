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
  error: 'Free: an error is never charged.',
  unchanged: 'Free: nothing had changed since the last answer.',
  test: 'Free: test keys read sample data.',
  free: 'Free: this endpoint costs nothing.',
  replay: 'Free: this answer was paid for before, with the same Idempotency-Key.',
  'no rows': 'Free: there were no rows to pay for.',
} as const satisfies Record<FreeReason, string>

const counted = ({ units, per }: ShownCharge): string => `${number(units)} ${per === 'row' ? 'row' : 'call'}${units === 1 ? '' : 's'}`

/** `5 rows × 1 credit = 5`, or why nothing was charged. */
export function chargeWords(charge: ShownCharge): string {
  if (charge.freeBy !== null) return reasons[charge.freeBy]
  return `${counted(charge)} × ${credits(charge.unitCredits)} = ${number(charge.credits)}`
}

/** The same beside a number of credits: `5 rows × 1`, `test key`. */
export function shortChargeWords(charge: ShownCharge): string {
  return charge.freeBy === null ? `${counted(charge)} × ${number(charge.unitCredits)}` : shortReasons[charge.freeBy]
}
