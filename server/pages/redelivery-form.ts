import { FieldsError, refuseFaults } from '#server/api/contract/field-errors.ts'
import { getMoments } from '#server/api/contract/time-zones.ts'
import { getText } from './answer-form.ts'

/** Reports how many deliveries are being resent. */
export function redeliveryMessage({ count, next }: { count: number; next: string | null }): string {
  const sent = count === 1 ? 'Resending 1 delivery.' : `Resending ${count} deliveries.`
  return next === null ? sent : `${sent} More remain. Resend to continue.`
}

const badTime = 'Enter a date and time, e.g. 2026-11-21T09:30.'

/**
 * Reads the time range of a form. If a time occurs twice because the clocks go back, the range includes both. `others` are the errors of its other fields.
 * @throws FieldsError
 */
export function readRange(form: FormData, zone: string, others: Readonly<Record<string, string | null>> = {}): { from: string; to: string } {
  // A local time can be ambiguous when the clocks go back.
  const [from, to] = [getMoments(getText(form, 'from'), zone)?.first, getMoments(getText(form, 'to'), zone)?.last]
  const order = from && to && from >= to ? 'End must be after start.' : null
  refuseFaults({ from: from ? null : badTime, to: to ? order : badTime, ...others })
  if (!from || !to) throw new FieldsError({ form: badTime })
  return { from: from.toISOString(), to: to.toISOString() }
}

const typedRange = (form: FormData): string => `${getText(form, 'from')} ${getText(form, 'to')}`

/** Returns the cursor at which the last request stopped if the range is unchanged; null to start over. */
export function continueAfter(form: FormData): string | null {
  const [cursor = '', ...range] = getText(form, 'after').split(' ')
  return range.join(' ') === typedRange(form) && /^\d{1,18}$/.test(cursor) ? cursor : null
}

/** Returns the typed values that make the next submission continue after a cursor. */
export const typedToContinue = (form: FormData, next: string) => ({
  from: [getText(form, 'from')],
  to: [getText(form, 'to')],
  after: [`${next} ${typedRange(form)}`],
})
