const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Formats a UTC day: `21 November 2026`. */
export const day = (at: Date): string => dayFormat.format(at)

const shortFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const weekFormat = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })

/** Formats a UTC day in short form: `21 Nov`. */
export const shortDay = (at: Date): string => shortFormat.format(at)

/** Formats a UTC day with its weekday: `Saturday 21 November`. */
export const weekDay = (at: Date): string => weekFormat.format(at).replace(',', '')

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** Formats the time since a moment: `4 minutes ago`. */
export function ago(at: Date, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - at.getTime()) / 1_000)
  const unit = units.find(([, size]) => seconds >= size)
  if (!unit) return 'just now'
  const count = Math.floor(seconds / unit[1])
  return `${count} ${unit[0]}${count === 1 ? '' : 's'} ago`
}
