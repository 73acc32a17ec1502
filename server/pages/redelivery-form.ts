import { FieldsError, refuseFaults } from '#server/api/contract/field-errors.ts'
import { momentsOf } from '#server/api/contract/time-zones.ts'
import { textOf } from './answer-form.ts'

/** How many deliveries are on their way again, in words. */
export function onTheirWay({ count, next }: { count: number; next: string | null }): string {
  const sent = count === 1 ? '1 delivery is on its way again.' : `${count} deliveries are on their way again.`
  return next === null ? sent : `${sent} There are more: send again to go on with them.`
}

const noMoment = 'Enter a day and a time such as 2026-11-21T09:30.'

/**
 * The span that a form asks for; the hour that comes twice as the clocks go back is in it both times. `others` is what is wrong with its other fields.
 * @throws FieldsError
 */
export function spanOf(form: FormData, zone: string, others: Readonly<Record<string, string | null>> = {}): { from: string; to: string } {
  // A minute of the browser's field may mean two moments where times are told.
  const [from, to] = [momentsOf(textOf(form, 'from'), zone)?.first, momentsOf(textOf(form, 'to'), zone)?.last]
  const order = from && to && from >= to ? 'Enter a time after the first one.' : null
  refuseFaults({ from: from ? null : noMoment, to: to ? order : noMoment, ...others })
  if (!from || !to) throw new FieldsError({ form: noMoment })
  return { from: from.toISOString(), to: to.toISOString() }
}

const typedSpan = (form: FormData): string => `${textOf(form, 'from')} ${textOf(form, 'to')}`

/** The place where the last go of a span ended, as long as it is the same span; null: it begins anew. */
export function goesOnAfter(form: FormData): string | null {
  const [place = '', ...ofSpan] = textOf(form, 'after').split(' ')
  return ofSpan.join(' ') === typedSpan(form) && /^\d{1,18}$/.test(place) ? place : null
}

/** What the form has to show so that the next press goes on behind a place. */
export const typedToGoOn = (form: FormData, next: string) => ({
  from: [textOf(form, 'from')],
  to: [textOf(form, 'to')],
  after: [`${next} ${typedSpan(form)}`],
})
