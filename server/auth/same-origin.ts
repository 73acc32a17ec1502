/** Returns true if a request comes from a page on this host. Browsers send `Sec-Fetch-Site` or `Origin` with every POST; requests with neither are rejected. */
export function isSameOrigin(headers: Headers, publicUrl: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const origin = URL.parse(headers.get('origin') ?? '')
  if (origin === null) return false
  return origin.host === headers.get('host') || origin.origin === publicUrl
}
