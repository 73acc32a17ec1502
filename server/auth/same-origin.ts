/** Returns true if a request comes from a page on this host. Browsers send `Sec-Fetch-Site` or `Origin` with every POST; requests with neither are rejected. */
export function isSameOrigin(headers: Headers, publicUrl: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const origin = URL.parse(headers.get('origin') ?? '')
  if (origin === null) return false
  return origin.host === headers.get('host') || origin.origin === publicUrl
}

/** Longest redirect target. An authorisation request can have about 2,000 characters, which become up to three times as many when encoded. */
const longestPath = 6_000

/** Returns a redirect target if it is a path of this site, otherwise `fallback`. */
export function sitePath(asked: string | undefined, fallback = '/portal'): string {
  return asked !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(asked) && asked.length <= longestPath ? asked : fallback
}

/** Returns the path of an invitation, to which a person returns after they sign up; empty for any other path. */
export function invitationPath(asked: string | undefined): string {
  const path = sitePath(asked, '')
  return path.startsWith('/join/') ? path : ''
}
