import { Time } from '#components/data/time.tsx'
import { number } from '#components/portal/amounts.ts'

/** How much waits, and since when the oldest of it does. */
export function WaitingWords({ count, oldest, one, many }: { count: number; oldest: Date | null; one: string; many: string }) {
  if (oldest === null) return null
  return (
    <p className="mb-6">
      {number(count)} {count === 1 ? one : many}, the oldest since <Time at={oldest} isStop />.
    </p>
  )
}
