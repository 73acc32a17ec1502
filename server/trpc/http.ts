import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { maxRequests } from '#server/api/contract/request-bounds.ts'
import { isSameOrigin } from '#server/auth/same-origin.ts'
import { logRefusedAdmin } from '#server/auth/security-history.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import type { PortalContext } from './procedures.ts'
import { isTooDeep, maxAdminBodyBytes, maxBodyBytes, maxDepth, readBounded } from './procedures.ts'
import { adminAppRouter, portalRouter } from './root.ts'

export const trpcPath = '/api/trpc'

const refused = (status: 400 | 403 | 413, message: string): Response =>
  Response.json({ error: { message } }, { status, headers: { 'Cache-Control': 'no-store' } })

/** Reads a request and checks its size and nesting. Returns a copy of it, or the response that rejects it. */
async function boundedRequest({ method, url, headers, body }: Request, viewer: Viewer | null): Promise<Request | Response> {
  const tooDeep = () => refused(400, `The input must not be nested more than ${maxDepth} levels deep.`)
  if (method === 'GET') return isTooDeep(new URL(url).searchParams.get('input') ?? '') ? tooDeep() : new Request(url, { headers })
  // Mutations need a session, so bodies of unauthenticated requests are not read.
  if (viewer === null) return new Request(url, { method, headers })
  const maxBytes = viewer.isAdmin ? maxAdminBodyBytes : maxBodyBytes
  const text = Number(headers.get('content-length') ?? 0) > maxBytes ? null : await readBounded(body, maxBytes)
  if (text === null) return refused(413, `The body must not exceed ${maxBytes} bytes.`)
  return isTooDeep(text) ? tooDeep() : new Request(url, { method, headers, body: text })
}

/**
 * Handles tRPC calls of the portal. Mutations are POST requests and only accepted from our own origin. Only administrators get the admin procedures; for
 * everyone else they don't exist.
 */
export async function answerTrpc(request: Request, context: () => Promise<PortalContext>): Promise<Response> {
  const here = await context()
  if (request.method !== 'GET' && !isSameOrigin(request.headers, here.deps.publicUrl)) return refused(403, 'Only requests from the portal are allowed.')
  const bounded = await boundedRequest(request, here.viewer)
  if (bounded instanceof Response) return bounded
  const procedures = new URL(request.url).pathname.slice(trpcPath.length + 1)
  if (!here.viewer?.isAdmin && /(?:^|,|%2c)admin\./i.test(procedures)) logRefusedAdmin(here.deps, here.asker.address, here.viewer?.publicId ?? null, procedures)
  const router = here.viewer?.isAdmin ? adminAppRouter : portalRouter
  // Admin pages send queries as POST, because their input may contain a key or an email address, which must not get into URLs.
  const limits = { allowMethodOverride: here.viewer?.isAdmin === true, maxBatchSize: maxRequests }
  const response = await fetchRequestHandler({ endpoint: trpcPath, req: bounded, router, createContext: async () => here, ...limits })
  response.headers.set('Cache-Control', 'private, no-store')
  return response
}
