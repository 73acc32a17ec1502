export const securityPath = '/.well-known/security.txt'

const dayMs = 86_400_000
/** For how many days the text says that it holds. It is written anew for each reader, so it never gets old. */
const holdsDays = 90

/** Where faults of security are told, as RFC 9116 has it. `now` is in milliseconds since 1970. */
export function securityText(contact: string, publicUrl: string, now: number): string {
  const expires = new Date((Math.floor(now / dayMs) + holdsDays) * dayMs).toISOString()
  return `Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\nCanonical: ${publicUrl}${securityPath}\n`
}
