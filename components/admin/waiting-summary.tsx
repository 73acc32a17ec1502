import { Time } from '#components/data/time.tsx'
import { number } from '#components/portal/amounts.ts'

/** Number of open items and the time of the oldest. */
export function WaitingSummary({ count, oldest, one, many }: { count: number; oldest: Date | null; one: string; many: string }) {
  if (oldest === null) return null
  return (
    <p className="mb-6">
      {number(count)} {count === 1 ? one : many}, oldest since <Time at={oldest} isStop />.
    </p>
  )
}
