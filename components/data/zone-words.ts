import { utc } from '#server/api/contract/time-zones.ts'

/** How much of a moment is told. */
export type TimeLook =
  /** `21 November 2026, 07:42 UTC` */
  | 'minute'
  /** `21 November 2026, 07:42:05 UTC` */
  | 'second'
  /** `21 Nov 07:42:05 UTC`, for a column of a table */
  | 'row'
  /** `07:42:05 UTC`, of today */
  | 'clock'
  /** `07:42 UTC`, of today */
  | 'hour'
  /** `21 November 2026` */
  | 'day'

type Formats = { readonly [Part in 'day' | 'shortDay' | 'minute' | 'second' | 'zone']: Intl.DateTimeFormat }

const kept = new Map<string, Formats>()

/** A browser may be older than the zone. It tells times in UTC then, which is what they say. */
function isKnown(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone })
    return true
  } catch {
    return false
  }
}

function formatsOf(zone: string): Formats {
  const before = kept.get(zone)
  if (before) return before
  const timeZone = isKnown(zone) ? zone : utc
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...options, timeZone })
  const made = {
    day: format({ day: 'numeric', month: 'long', year: 'numeric' }),
    shortDay: format({ day: 'numeric', month: 'short' }),
    minute: format({ hour: '2-digit', minute: '2-digit' }),
    second: format({ hour: '2-digit', minute: '2-digit', second: '2-digit' }),
    zone: format({ timeZoneName: 'short' }),
  }
  kept.set(zone, made)
  return made
}

/** What the zone calls its time at a moment: `GMT`, `BST`, `GMT−5` where it has no letters of its own here. */
function zoneName({ zone }: Formats, at: Date): string {
  const name = zone.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  // A true minus, which no line ends behind.
  return name.replace('-', '−')
}

/** A moment as a clock of the zone tells it, with the name of its time. */
export function timeWords(at: Date, zone: string, look: TimeLook): string {
  const formats = formatsOf(zone)
  if (look === 'day') return formats.day.format(at)
  const time = look === 'minute' || look === 'hour' ? formats.minute : formats.second
  const ahead = { minute: `${formats.day.format(at)}, `, second: `${formats.day.format(at)}, `, row: `${formats.shortDay.format(at)} `, clock: '', hour: '' }
  return `${ahead[look]}${time.format(at)} ${zoneName(formats, at)}`
}
