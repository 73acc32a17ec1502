/** Days and months are ISO 8601 text in UTC, such as `2026-12-08` and `2026-12`. */

export const dayMs = 86_400_000

export const isoDay = (at: Date | number): string => new Date(at).toISOString().slice(0, 10)

export const isoMonth = (at: Date | number): string => new Date(at).toISOString().slice(0, 7)

/** Returns the start of a day; null if the text isn't a valid date. */
export function parseDay(text: string): Date | null {
  const day = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? text : Number.NaN)
  return !Number.isNaN(day.getTime()) && isoDay(day) === text ? day : null
}

export const daysBefore = (day: string, days: number): string => isoDay(Date.parse(day) - days * dayMs)

export const monthBefore = (month: string): string => isoMonth(Date.parse(`${month}-01`) - dayMs)

/** Returns a month's sequential number, such as 24323 for November 2026. */
export const monthNumber = (at: Date | number): number => new Date(at).getUTCFullYear() * 12 + new Date(at).getUTCMonth() + 1
