/** A moment where the reader is: `21 November 2026, 08:42 in Europe/London`. Without a zone it is that of the browser. */
export function localMoment(at: Date, timeZone?: string): string {
  const zone = timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: zone }).format(at)
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone }).format(at)
  return `${day}, ${time} in ${zone.replaceAll('_', ' ')}`
}
