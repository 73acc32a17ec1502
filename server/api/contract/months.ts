const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Returns the day on which monthly caps reset (UTC), such as `1 December 2026`. */
export function nextMonthsFirst(now: number): string {
  const at = new Date(now)
  return dayFormat.format(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
}

/** Formats a day such as `2026-12-08` as `8 December 2026`. */
export const toDayLabel = (day: string): string => dayFormat.format(new Date(`${day}T00:00:00Z`))
