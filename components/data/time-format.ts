import { utc } from '#server/api/contract/time-zones.ts'

/** Format of a time. */
export type TimeLook =
  /** `21 November 2026, 07:42 UTC` */
  | 'minute'
  /** `21 November 2026, 07:42:05 UTC` */
  | 'second'
  /** `21 Nov 07:42:05 UTC`, for a table column */
  | 'row'
  /** `07:42:05 UTC`, for today */
  | 'clock'
  /** `07:42:05`, below a heading with the day and the zone */
  | 'clock in heading'
  /** `07:42 UTC`, for today */
  | 'hour'
  /** `21 November 2026` */
  | 'day'
  /** `21 Nov`, within a year from now */
  | 'short day'

type Formats = { readonly [Part in 'day' | 'shortDay' | 'minute' | 'second' | 'zone']: Intl.DateTimeFormat }

const cache = new Map<string, Formats>()

/** Returns false if the browser doesn't know the zone, for example because it is a recent addition. Times are then shown in UTC and labelled as such. */
function isKnown(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone })
    return true
  } catch {
    return false
  }
}

function getFormats(zone: string): Formats {
  const cached = cache.get(zone)
  if (cached) return cached
  const timeZone = isKnown(zone) ? zone : utc
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...options, timeZone })
  const formats = {
    day: format({ day: 'numeric', month: 'long', year: 'numeric' }),
    shortDay: format({ day: 'numeric', month: 'short' }),
    minute: format({ hour: '2-digit', minute: '2-digit' }),
    second: format({ hour: '2-digit', minute: '2-digit', second: '2-digit' }),
    zone: format({ timeZoneName: 'short' }),
  }
  cache.set(zone, formats)
  return formats
}

/** Returns the zone's abbreviation at a time: `GMT`, `BST`, or an offset such as `GMT−5`. */
function zoneName({ zone }: Formats, at: Date): string {
  const name = zone.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  // A line can't break after a true minus sign, unlike after a hyphen.
  return name.replace('-', '−')
}

/** Returns the abbreviation of a zone at a time. */
export const zoneAt = (at: Date, zone: string): string => zoneName(getFormats(zone), at)

/** Formats a time in a zone, with the zone's abbreviation. */
export function formatTime(at: Date, zone: string, look: TimeLook): string {
  const formats = getFormats(zone)
  if (look === 'day') return formats.day.format(at)
  if (look === 'short day') return formats.shortDay.format(at)
  const time = look === 'minute' || look === 'hour' ? formats.minute : formats.second
  if (look === 'clock in heading') return time.format(at)
  const datePart = { minute: `${formats.day.format(at)}, `, second: `${formats.day.format(at)}, `, row: `${formats.shortDay.format(at)} `, clock: '', hour: '' }
  return `${datePart[look]}${time.format(at)} ${zoneName(formats, at)}`
}

/** Formats a time in a zone: `21 November 2026, 08:42 in Europe/London`. Defaults to the browser's zone. */
export function localMoment(at: Date, timeZone?: string): string {
  const zone = timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: zone }).format(at)
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone }).format(at)
  return `${day}, ${time} in ${zone.replaceAll('_', ' ')}`
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Formats a UTC day: `21 November 2026`. */
export const day = (at: Date): string => dayFormat.format(at)

const shortFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Formats a UTC day in short form: `21 Nov`. */
export const shortDay = (at: Date): string => shortFormat.format(at)

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** Formats the time elapsed since `at`: `4 minutes ago`. */
export function ago(at: Date, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - at.getTime()) / 1_000)
  const unit = units.find(([, size]) => seconds >= size)
  if (!unit) return 'just now'
  const count = Math.floor(seconds / unit[1])
  return `${count} ${unit[0]}${count === 1 ? '' : 's'} ago`
}

const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Formats a month: `2026-11` becomes `November 2026`. */
export const monthName = (month: string): string => monthFormat.format(new Date(`${month}-01`))
