import { z } from 'zod'
import type { Plan } from './plans.ts'

/** Beside the schemas and not in their metadata, which would stand in every published JSON Schema. */
const marks = z.registry<{ plan: Plan }>()

/** Marks a field as one that live keys below a plan are not given. Call it last: a schema that is changed afterwards is another one. */
export function fromPlan<Field extends z.ZodType>(plan: Plan, field: Field): Field {
  marks.add(field, { plan })
  return field
}

/** The least plan that each marked field of a row needs, by the name of the field. */
export function plansOfFields(row: Readonly<Record<string, z.core.$ZodType>>): ReadonlyMap<string, Plan> {
  return new Map(
    Object.entries(row).flatMap(([name, field]) => {
      const mark = marks.get(field)
      return mark === undefined ? [] : [[name, mark.plan] as const]
    }),
  )
}
