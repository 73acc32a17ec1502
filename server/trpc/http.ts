import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { mostQuestions } from '../contract/portal-batch.ts'
import { isTooDeep, maxBodyBytes, maxDepth, readBounded } from './bounded-input.ts'
import { deskRouter } from './desk.ts'
import type { PortalContext } from './procedures.ts'
import { portalRouter } from './root.ts'

export const trpcPath = '/api/trpc'

/**
 * Whether a request comes from a page of this very host. Browsers say so themselves; a request that says nothing about where it comes from is not taken,
 * since every browser that people use says it.
 */
export function isSameOrigin(headers: Headers, publicUrl: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const origin = URL.parse(headers.get('origin') ?? '')
  if (origin === null) return false
  return origin.host === headers.get('host') || origin.origin === publicUrl
}

const refused = (status: 400 | 403 | 413, message: string): Response =>
  Response.json({ error: { message } }, { status, headers: { 'Cache-Control': 'no-store' } })

/** Copies a request with its body read within bounds, or returns the response that rejects it. */
async function boundedRequest({ method, url, headers, body }: Request, isSignedIn: boolean): Promise<Request | Response> {
  const tooDeep = () => refused(400, `The input may have ${maxDepth} levels.`)
  if (method === 'GET') return isTooDeep(new URL(url).searchParams.get('input') ?? '') ? tooDeep() : new Request(url, { headers })
  // Nothing that changes anything is open to unauthenticated requests, so their bodies are not read.
  if (!isSignedIn) return new Request(url, { method, headers })
  const text = Number(headers.get('content-length') ?? 0) > maxBodyBytes ? null : await readBounded(body)
  if (text === null) return refused(413, `A body may have ${maxBodyBytes} bytes.`)
  return isTooDeep(text) ? tooDeep() : new Request(url, { method, headers, body: text })
}

/**
 * Answers the portal's own calls. Whatever changes something is a POST, and is taken from our own pages only. The desk is there for administrators alone: to
 * everybody else its procedures are as unknown as any that never were.
 */
export async function answerTrpc(request: Request, context: () => Promise<PortalContext>): Promise<Response> {
  const here = await context()
  if (request.method !== 'GET' && !isSameOrigin(request.headers, here.room.publicUrl)) return refused(403, 'This can be asked for from the portal only.')
  const bounded = await boundedRequest(request, here.viewer !== null)
  if (bounded instanceof Response) return bounded
  const router = here.viewer?.isAdmin ? deskRouter : portalRouter
  const limits = { allowMethodOverride: false, maxBatchSize: mostQuestions }
  const response = await fetchRequestHandler({ endpoint: trpcPath, req: bounded, router, createContext: async () => here, ...limits })
  response.headers.set('Cache-Control', 'private, no-store')
  return response
}
