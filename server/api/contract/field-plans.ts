import { z } from 'zod'
import type { Plan } from './plans.ts'

/** Kept outside the schema metadata, which would be published in every JSON Schema. */
const marks = z.registry<{ plan: Plan }>()

/** Marks a field that live keys below `plan` don't get. Call it last: further schema methods return a new schema without the mark. */
export function fromPlan<Field extends z.ZodType>(plan: Plan, field: Field): Field {
  marks.add(field, { plan })
  return field
}

/** Returns the lowest plan for each marked field of a row, by field name. */
export function plansOfFields(row: Readonly<Record<string, z.core.$ZodType>>): ReadonlyMap<string, Plan> {
  return new Map(
    Object.entries(row).flatMap(([name, field]) => {
      const mark = marks.get(field)
      return mark === undefined ? [] : [[name, mark.plan] as const]
    }),
  )
}
