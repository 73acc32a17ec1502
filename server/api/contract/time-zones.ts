import { dayMs } from './dates.ts'

/** Default time zone. */
export const utc = 'UTC'

/** Renamed zones for which Node and some browsers still return the old name. */
const renamed: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/** Returns the current name of a time zone that may have been renamed. */
export const currentZoneName = (zone: string): string => renamed[zone] ?? zone

let known: readonly string[] | null = null

/** Returns the IANA names of the time zones that can be chosen besides UTC, such as `Europe/London`. */
export function timeZones(): readonly string[] {
  known ??= [...new Set(Intl.supportedValuesOf('timeZone').map(currentZoneName))].filter((zone) => zone.includes('/')).toSorted()
  return known
}

const hourMs = 3_600_000

let offsets: { readonly hour: number; readonly zones: readonly { readonly name: string; readonly offset: string }[] } | null = null

/** Returns the time zones with their offsets at a time, such as `GMT+1`. Calculated once an hour, because it needs a formatter for each zone. */
export function zoneOffsets(now: number) {
  const hour = Math.floor(now / hourMs)
  if (offsets?.hour === hour) return offsets.zones
  const toOffset = (timeZone: string) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  offsets = { hour, zones: timeZones().map((name) => ({ name, offset: toOffset(name) })) }
  return offsets.zones
}

export const isTimeZone = (zone: string): boolean => zone === utc || timeZones().includes(zone)

/** Returns a formatter for times in a zone, to be passed to `getClock`. */
export const clockFormat = (timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })

/** Returns the local time in a zone as if it were UTC, in milliseconds since 1970, without fractions of a second. */
export function getClock(format: Intl.DateTimeFormat, ms: number): number {
  const { year, month, day, hour, minute, second } = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]))
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

/**
 * Returns the times at which local clocks show a minute such as `2026-10-25T01:30`. `first` and `last` are the same, except in the repeated hour when clocks
 * go back. A minute in the hour skipped when clocks go forward is converted with the offset before the change. Null if `minute` is not valid.
 */
export function getMoments(minute: string, zone: string): { first: Date; last: Date } | null {
  const shown = Date.parse(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(minute) ? `${minute}Z` : '')
  if (Number.isNaN(shown)) return null
  const format = clockFormat(zone)
  // The offset is that of a day before or a day after, because no zone changes its offset twice within two days.
  const [before, after] = [shown - dayMs, shown + dayMs].map((ms) => shown - (getClock(format, ms) - ms)) as [number, number]
  const found = [before, after].filter((ms) => getClock(format, ms) === shown)
  const moments = found.length === 0 ? [before] : found
  return { first: new Date(Math.min(...moments)), last: new Date(Math.max(...moments)) }
}
