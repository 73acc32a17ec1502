export const securityPath = '/.well-known/security.txt'

const dayMs = 86_400_000
/** Days from the request to the `Expires` date. The document is generated per request, so it never actually expires. */
const validDays = 90

/** Returns security.txt (RFC 9116), which tells researchers where to report vulnerabilities. `now` is in milliseconds since 1970. */
export function securityText(contact: string, publicUrl: string, now: number): string {
  const expires = new Date((Math.floor(now / dayMs) + validDays) * dayMs).toISOString()
  return `Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\nCanonical: ${publicUrl}${securityPath}\n`
}
