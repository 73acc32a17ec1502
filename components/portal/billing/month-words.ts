const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** A month as people read it: `2026-11` is `November 2026`. */
export const monthName = (month: string): string => monthFormat.format(new Date(`${month}-01`))
