import type { ChartDay } from './bar-geometry.ts'
import type { SparkDay } from './spark.tsx'

type Report = { readonly days: readonly ChartDay[]; readonly groups: readonly { readonly id: string }[] }

/** The days of each key of a report by keys. Of a key that stands among the others of it nobody can tell: null. */
export function keyUse({ days, groups }: Report): (id: string) => readonly SparkDay[] | null {
  const told = new Set(groups.map(({ id }) => id))
  return (id) => {
    if (!told.has(id) && told.has('other')) return null
    return days.map(({ parts }) => parts.find((part) => part.id === id) ?? { calls: 0, credits: 0 })
  }
}
