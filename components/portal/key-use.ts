import type { ChartDay } from './bar-geometry.ts'
import type { SparklineDay } from './sparkline.tsx'

type Report = { readonly days: readonly ChartDay[]; readonly groups: readonly { readonly id: string }[] }

/** Returns daily usage by key from a report grouped by key. Null for a key that the report merged into "other". */
export function keyUse({ days, groups }: Report): (id: string) => readonly SparklineDay[] | null {
  const listed = new Set(groups.map(({ id }) => id))
  return (id) => {
    if (!listed.has(id) && listed.has('other')) return null
    return days.map(({ parts }) => parts.find((part) => part.id === id) ?? { calls: 0, credits: 0 })
  }
}
