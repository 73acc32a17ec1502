import type { AnyProcedure } from '@trpc/server'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { maxRequests } from '#server/api/contract/request-bounds.ts'
import { accountHeader } from '#server/api/contract/teams.ts'
import { isSameOrigin } from '#server/auth/same-origin.ts'
import { logRefusedAdmin } from '#server/auth/security-history.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import { isTooDeep, maxAdminBodyBytes, maxBodyBytes, maxDepth, readBounded } from './bounded-input.ts'
import type { Meta, PortalContext } from './procedures.ts'
import { adminAppRouter, portalRouter } from './root.ts'

export const trpcPath = '/api/trpc'

const refused = (status: 400 | 403 | 413, message: string): Response =>
  Response.json({ error: { message } }, { status, headers: { 'Cache-Control': 'no-store' } })

const withoutScripts = `<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width">
<title>This form needs JavaScript</title>
<h1>This form needs JavaScript</h1>
<p>Nothing was saved. Turn on JavaScript if it is off, go back, wait until the page has loaded, and submit the form again.</p>
</html>
`

/** Returns a page that explains why a form was rejected: the browser submitted it without JavaScript, because the page's scripts had not loaded. */
const refusedForm = (): Response =>
  new Response(withoutScripts, { status: 415, headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' } })

const isForm = (headers: Headers): boolean => /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(headers.get('content-type')?.trim() ?? '')

const procedures = Object.entries(portalRouter._def.procedures as unknown as Readonly<Record<string, AnyProcedure>>)

const publicNames = new Set(procedures.filter(([, { _def }]) => (_def.meta as Meta | undefined)?.isPublic).map(([name]) => name))

/** Returns true if none of the procedures, separated by commas, needs a session. */
const arePublic = (names: string): boolean => names.split(/,|%2c/i).every((name) => publicNames.has(name))

/** Returns the maximum size of a request body. 0 if it is not read, because without a session it can't be used. */
function getMaxBytes(viewer: Viewer | null, names: string): number {
  if (viewer === null) return arePublic(names) ? maxBodyBytes : 0
  return viewer.isAdmin ? maxAdminBodyBytes : maxBodyBytes
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** Reads a request and checks its size and nesting. Returns a copy of it, or the response that rejects it. */
async function boundedRequest({ method, url, headers, body }: Request, maxBytes: number): Promise<Request | Response> {
  const tooDeep = () => refused(400, `The input must not be nested more than ${maxDepth} levels deep.`)
  if (isRead(method)) return isTooDeep(new URL(url).searchParams.get('input') ?? '') ? tooDeep() : new Request(url, { method, headers })
  if (maxBytes === 0) return new Request(url, { method, headers })
  const text = Number(headers.get('content-length') ?? 0) > maxBytes ? null : await readBounded(body, maxBytes)
  if (text === null) return refused(413, `The body must not exceed ${maxBytes} bytes.`)
  return isTooDeep(text) ? tooDeep() : new Request(url, { method, headers, body: text })
}

/**
 * Handles tRPC calls of the portal. Mutations are POST requests and only accepted from our own origin. Only administrators get the admin procedures; for
 * everyone else they don't exist.
 */
export async function answerTrpc(request: Request, context: () => Promise<PortalContext>): Promise<Response> {
  const asked = await context()
  if (!isRead(request.method) && !isSameOrigin(request.headers, asked.deps.publicUrl)) return refused(403, 'Only requests from the portal are allowed.')
  if (isForm(request.headers)) return refusedForm()
  const names = new URL(request.url).pathname.slice(trpcPath.length + 1)
  const bounded = await boundedRequest(request, getMaxBytes(asked.viewer, names))
  if (bounded instanceof Response) return bounded
  // A body can take half a minute to arrive, in which the session may have ended or the member may have been removed.
  const here = bounded.body === null ? asked : await context()
  if (!here.viewer?.isAdmin && /(?:^|,|%2c)admin\./i.test(names)) logRefusedAdmin(here.deps, here.asker.address, here.viewer?.publicId ?? null, names)
  const router = here.viewer?.isAdmin ? adminAppRouter : portalRouter
  // Admin pages send queries as POST, because their input may contain a key or an email address, which must not get into URLs.
  const limits = { allowMethodOverride: true, maxBatchSize: maxRequests }
  const response = await fetchRequestHandler({
    endpoint: trpcPath,
    req: bounded,
    router,
    createContext: async () => ({ ...here, page: request.headers.get(accountHeader) ?? here.shown?.lost?.publicId ?? null }),
    ...limits,
  })
  response.headers.set('Cache-Control', 'private, no-store')
  return response
}
