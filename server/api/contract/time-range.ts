import { z } from 'zod'
import { FieldsError, refuseFaults } from './field-errors.ts'
import { getMoments } from './time-zones.ts'

/** Time range as submitted by a form: local times in the user's zone. */
export const typedRange = { from: z.string().max(40), to: z.string().max(40) }

type TypedRange = { readonly from: string; readonly to: string }

const badTime = 'Enter a date and time, e.g. 2026-11-21T09:30.'

/** Reads a time range. If a time occurs twice because the clocks go back, the range includes both occurrences. @throws FieldsError */
export function readRange(typed: TypedRange, zone: string): { from: Date; to: Date } {
  const [from, to] = [getMoments(typed.from, zone)?.first, getMoments(typed.to, zone)?.last]
  const order = from && to && from >= to ? 'End must be after start.' : null
  refuseFaults({ from: from ? null : badTime, to: to ? order : badTime })
  if (!from || !to) throw new FieldsError({ form: badTime })
  return { from, to }
}
