/** What an address is, by its exact shape. Whoever handles requests asks here, so that none of them takes an address for something else than another does. */

const toolPath = /^\/mcp(?:\?|$)/
const apiPath = /^\/(?:v1(?:[/?]|$)|api\/v1(?:[/?]|$)|mcp(?:\?|$))/
const versionPath = /^\/v1(?:[/?]|$)/
const drawingPath = /^\/(?:logos|card-images)\/[^/?#]+\/[^/?#]+\.svg(?:\?|$)/
const assetPath = /^\/_next\/static\/[^?#]+[^/?#](?:\?|$)/
const portalCall = /^\/api\/(?:trpc\/[^/?#]+|auth\/[^/?#]+(?:\/[^/?#]+)?|stripe\/webhook)(?:\?|$)/

/** Whether an address is that of the tool server. */
export const isToolPath = (url: string): boolean => toolPath.test(url)

/** Whether an address belongs to the API, which looks after its bodies and its limits itself. */
export const isApiPath = (url: string): boolean => apiPath.test(url)

/** Whether a call is one of the API's own mount. */
export const isVersionPath = (url: string): boolean => versionPath.test(url)

/** Whether a logo or the picture of a card is asked for. */
export const isDrawing = (url: string): boolean => drawingPath.test(url)

/** Whether a drawing or a file of a page is asked for. */
export const isAsset = (url: string): boolean => assetPath.test(url) || drawingPath.test(url)

/** Whether a page calls the portal. */
export const isPortalCall = (url: string): boolean => portalCall.test(url)

/** Whether a page calls a tRPC procedure. */
export const isTrpcCall = (url: string): boolean => url.startsWith('/api/trpc/')

/** A segment of one or two dots, plain or encoded. Encoded slashes end no segment: Next resolves nothing at them. */
const dotSegment = /\/(?:\.|%2e){1,2}(?:\/|$)/i

/** Whether whoever reads a path next may resolve it to another: it has segments of dots, or backslashes, which are slashes to a browser and to Next. */
export function leadsElsewhere(url: string): boolean {
  const path = url.split(/[?#]/, 1)[0] ?? ''
  return path.includes('\\') || dotSegment.test(path)
}
