/** Formats a time in a zone: `21 November 2026, 08:42 in Europe/London`. Defaults to the browser's zone. */
export function localMoment(at: Date, timeZone?: string): string {
  const zone = timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: zone }).format(at)
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone }).format(at)
  return `${day}, ${time} in ${zone.replaceAll('_', ' ')}`
}
