const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Formats a month: `2026-11` becomes `November 2026`. */
export const monthName = (month: string): string => monthFormat.format(new Date(`${month}-01`))
