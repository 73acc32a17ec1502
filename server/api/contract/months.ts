const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** The day on which caps of a UTC month begin anew, such as `1 December 2026`. */
export function nextMonthsFirst(now: number): string {
  const at = new Date(now)
  return dayFormat.format(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
}

/** A day such as `2026-12-08` as people read it: `8 December 2026`. */
export const dayInWords = (day: string): string => dayFormat.format(new Date(`${day}T00:00:00Z`))
