/** How long an answer asks to wait, in milliseconds; null when it does not say. `Retry-After` is in seconds or a date. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header.trim()) * 1_000
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
