import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { mostQuestions } from '../contract/portal-batch.ts'
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

/**
 * Answers the portal's own calls. Whatever changes something is a POST, and is taken from our own pages only. The desk is there for administrators alone: to
 * everybody else its procedures are as unknown as any that never were.
 */
export async function answerTrpc(request: Request, context: () => Promise<PortalContext>): Promise<Response> {
  const here = await context()
  if (request.method !== 'GET' && !isSameOrigin(request.headers, here.room.publicUrl)) {
    return Response.json({ error: { message: 'This can be asked for from the portal only.' } }, { status: 403, headers: { 'Cache-Control': 'no-store' } })
  }
  const router = here.viewer?.isAdmin ? deskRouter : portalRouter
  const limits = { allowMethodOverride: false, maxBatchSize: mostQuestions }
  const response = await fetchRequestHandler({ endpoint: trpcPath, req: request, router, createContext: async () => here, ...limits })
  response.headers.set('Cache-Control', 'private, no-store')
  return response
}
