import type { RateMoves } from './rate-changes.store.ts'

/** Rates of a group of products on a day, in hundredths of a percent. */
export type TrendPoint = { readonly date: string; readonly bestBp: number; readonly averageBp: number; readonly medianBp: number }

/** Number of products in a group by rate. */
class Rates {
  readonly #counts = new Map<number, number>()

  move({ rateBp, count }: Pick<RateMoves, 'rateBp' | 'count'>): void {
    const now = (this.#counts.get(rateBp) ?? 0) + count
    if (now === 0) this.#counts.delete(rateBp)
    else this.#counts.set(rateBp, now)
  }

  /** Returns undefined if the group is empty. Means are rounded half up. */
  figures(): Omit<TrendPoint, 'date'> | undefined {
    const paid = [...this.#counts].sort(([a], [b]) => a - b)
    const best = paid.at(-1)
    if (best === undefined) return undefined
    const total = paid.reduce((sum, [, count]) => sum + count, 0)
    const sum = paid.reduce((so, [rateBp, count]) => so + rateBp * count, 0)
    return { bestBp: best[0], averageBp: toMean(sum, total), medianBp: toMedian(paid, total) }
  }
}

const toMean = (sum: number, count: number) => Math.floor((2 * sum + count) / (2 * count))

/** Median rate; the mean of the middle two for an even count. */
function toMedian(paid: readonly (readonly [rateBp: number, count: number])[], total: number): number {
  const at = (place: number) => {
    let seen = 0
    return paid.find(([, count]) => {
      seen += count
      return seen > place
    })?.[0]
  }
  return toMean((at(Math.floor((total - 1) / 2)) ?? 0) + (at(Math.floor(total / 2)) ?? 0), 2)
}

const dayMs = 86_400_000

/** ISO date a number of days before another. */
export const daysBefore = (date: string, days: number): string => new Date(Date.parse(`${date}T00:00:00Z`) - days * dayMs).toISOString().slice(0, 10)

/** Trend of one group step by step, oldest first. Steps without products are omitted. */
export function toTrend(moves: readonly RateMoves[], { to, stepDays, steps }: { to: string; stepDays: number; steps: number }): TrendPoint[] {
  const byStep = Map.groupBy(moves, ({ step }) => step)
  const rates = new Rates()
  return Array.from({ length: steps + 1 }, (_, index) => steps - index).flatMap((step) => {
    for (const move of byStep.get(step) ?? []) rates.move(move)
    const figures = rates.figures()
    return figures ? [{ date: daysBefore(to, step * stepDays), ...figures }] : []
  })
}
