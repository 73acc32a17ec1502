import Negotiator from 'negotiator'

/** Content encodings of API responses, best first. */
const encodings = ['br', 'zstd', 'gzip'] as const

export type Encoding = (typeof encodings)[number]

/** Minimum length of a body that is compressed, in bytes. Shorter ones fit into one packet either way. */
const minBytes = 1_024

/** Results for the headers seen so far. Clients send few different ones. */
const known = new Map<string, Encoding | null>()
const maxKnown = 200

/** Maximum length of `Accept-Encoding`. Clients send about 30 characters; parsing several thousand would hold up other calls. */
const longestAccept = 200

/** The type declarations of Negotiator lack the order for encodings of the same weight. */
type WithPreference = { readonly encodings: (available: readonly string[], options: { readonly preferred: readonly string[] }) => string[] }

function negotiate(accept: string): Encoding | null {
  const negotiator: WithPreference = new Negotiator({ headers: { 'accept-encoding': accept } })
  const [best] = negotiator.encodings([...encodings, 'identity'], { preferred: encodings })
  return encodings.find((one) => one === best) ?? null
}

/** Returns the best encoding that a client accepts for a body of this length, or null if the body is sent as it is. */
export function getEncoding(accept: string | string[] | null | undefined, bytes: number): Encoding | null {
  if (typeof accept !== 'string' || bytes < minBytes || accept.length > longestAccept) return null
  const result = known.get(accept)
  if (result !== undefined) return result
  const encoding = negotiate(accept)
  if (known.size >= maxKnown) known.clear()
  known.set(accept, encoding)
  return encoding
}
