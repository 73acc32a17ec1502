import { FieldsError } from '../server/contract/field-errors.ts'
import { momentsOf } from '../server/contract/time-zones.ts'
import { textOf } from './answer-form.ts'

/** How many deliveries are on their way again, in words. */
export function onTheirWay({ count, next }: { count: number; next: string | null }): string {
  const sent = count === 1 ? '1 delivery is on its way again.' : `${count} deliveries are on their way again.`
  return next === null ? sent : `${sent} There are more: send again to go on with them.`
}

/** The moments that a minute of the browser's field may mean where times are told. @throws FieldsError */
function momentsIn(form: FormData, name: string, zone: string) {
  const moments = momentsOf(textOf(form, name), zone)
  if (moments === null) throw new FieldsError({ [name]: 'Enter a day and a time such as 2026-11-21T09:30.' })
  return moments
}

/** The span that a form asks for; the hour that comes twice as the clocks go back is in it both times. @throws FieldsError */
export function spanOf(form: FormData, zone: string): { from: string; to: string } {
  const [{ first: from }, { last: to }] = [momentsIn(form, 'from', zone), momentsIn(form, 'to', zone)]
  if (from >= to) throw new FieldsError({ to: 'Enter a time after the first one.' })
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
