/** Classifies URLs by their exact form. All request handlers use these functions, so that they agree on every URL. */

const toolPath = /^\/mcp(?:\?|$)/
const apiPath = /^\/(?:v1(?:[/?]|$)|api\/v1(?:[/?]|$)|mcp(?:\?|$))/
const versionPath = /^\/v1(?:[/?]|$)/
const imagePath = /^\/(?:logos|card-images)\/[^/?#]+\/[^/?#]+\.svg(?:\?|$)/
const assetPath = /^\/_next\/static\/[^?#]+[^/?#](?:\?|$)/
const portalCall = /^\/api\/(?:trpc\/[^/?#]+|auth\/[^/?#]+(?:\/[^/?#]+)?|stripe\/webhook|search)(?:\?|$)/

/** Returns true for the URL of the MCP server. */
export const isToolPath = (url: string): boolean => toolPath.test(url)

/** Returns true for API URLs. The API enforces its own body and rate limits. */
export const isApiPath = (url: string): boolean => apiPath.test(url)

/** Returns the part of a URL after a prefix, or null if the path is not under it: `/v1`, `/v1/…` and `/v1?…` are under `/v1`, but `/v12` is not. */
export function targetUnder(prefix: string, url: string): string | null {
  if (!url.startsWith(prefix)) return null
  const next = url.charCodeAt(prefix.length)
  return Number.isNaN(next) || next === 47 || next === 63 ? url.slice(prefix.length) : null
}

/** Returns true for URLs under `/v1`. */
export const isVersionPath = (url: string): boolean => versionPath.test(url)

/** Returns true for logo and card image URLs. */
export const isDrawing = (url: string): boolean => imagePath.test(url)

/** Returns true for URLs of logos, card images and static page assets. */
export const isAsset = (url: string): boolean => assetPath.test(url) || imagePath.test(url)

/** Returns true for URLs of tRPC procedures, authentication, the Stripe webhook and the documentation search. */
export const isPortalCall = (url: string): boolean => portalCall.test(url)

export const isTrpcCall = (url: string): boolean => url.startsWith('/api/trpc/')

/** Dot segment, plain or percent-encoded. An encoded slash does not end a segment, because Next does not decode it when it resolves a path. */
const dotSegment = /\/(?:\.|%2e){1,2}(?:\/|$)/i

/** Returns true if other programs might resolve a path differently: it contains dot segments, or backslashes, which browsers and Next treat as slashes. */
export function leadsElsewhere(url: string): boolean {
  const path = url.split(/[?#]/, 1)[0] ?? ''
  return path.includes('\\') || dotSegment.test(path)
}
