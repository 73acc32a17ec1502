import { digestHour, immediateEmailMinutes } from '#server/api/contract/market-alerts.ts'
import { londonDay, nextUkTime } from '#server/market/sources/calendar.ts'

const hourMs = 3_600_000
const immediateMs = immediateEmailMinutes * 60_000

/** Returns the time from which the email of a notification may be sent: now, or the next 08:00 in London. */
export const getEmailDueAt = (frequency: string, at: Date): Date => (frequency === 'daily' ? new Date(nextUkTime(at.getTime(), digestHour * hourMs)) : at)

/** Period in which a member gets at most one email, and the time when it ends. */
type Slot = { readonly name: string; readonly endsAt: Date }

/** Returns the current slot for a frequency: a day that starts at 08:00 (UK time), or a quarter of an hour. */
export function getSlot(frequency: string, now: number): Slot {
  if (frequency === 'daily') {
    const end = nextUkTime(now, digestHour * hourMs)
    // The slot began 23, 24 or 25 hours before its end. 24 hours before its end is always on the day it began.
    return { name: `daily ${londonDay(end - 24 * hourMs)}`, endsAt: new Date(end) }
  }
  const start = Math.floor(now / immediateMs) * immediateMs
  return { name: `immediate ${new Date(start).toISOString()}`, endsAt: new Date(start + immediateMs) }
}
