import { errors } from '#server/api/contract/errors.ts'
import { maxBodyBytes } from '#server/api/contract/request-bounds.ts'
import type { Service } from '#server/runtime/service.ts'
import { encodeAnswer } from './compressed-page.ts'
import { readOnce, readWebBody } from './request-body.ts'
import type { ConsoleAnswer } from './site-console.ts'
import { pickHeaders, readCaller, toResponse } from './web-request.ts'

const prefix = '/v1'
const read = [
  'authorization',
  'content-type',
  'content-encoding',
  'accept',
  'if-none-match',
  'idempotency-key',
  'x-svc-max-credits',
  'user-agent',
  'traceparent',
] as const

/** Serves v1 with web Request and Response objects, for example in Next route handlers. Uses the same request pipeline as the plain listener. */
export function createFetchHandler(service: () => Promise<Service>): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pipeline, router, log } = await service()
    const { address, target, acceptEncoding } = readCaller(request)
    const route = router.resolve(request.method, target.slice(prefix.length))
    const body = route.endpoint?.body ? { body: readOnce(() => readWebBody(request, maxBodyBytes)) } : {}
    const headers = { ...pickHeaders(request.headers, read), ...(acceptEncoding === null ? {} : { 'accept-encoding': acceptEncoding }) }
    const answer = await pipeline.answer({ route, headers, isHead: request.method === 'HEAD', address, ...body })
    return toResponse(await encodeAnswer(answer, acceptEncoding, log))
  }
}

const longestBody = 4_000

/** Session checks for console calls with an account's own key. */
type ConsoleSession = {
  /** Returns true if a page of this site sent the request. Other pages must not make calls, because a call may spend credits. */
  readonly isOurs: (headers: Headers, publicUrl: string) => boolean
  /** Returns the signed-in account, and whether it signed in or re-authenticated recently; null if no one is signed in. */
  readonly spender: () => Promise<{ readonly accountId: number; readonly isRecent: boolean } | null>
}

type Body = { readonly target?: unknown; readonly keyId?: unknown; readonly maxCredits?: unknown }

/** Returns the fields of a JSON body; empty if the body is not a JSON object or is too long. */
function getBody(text: string): Body {
  if (text.length > longestBody) return {}
  try {
    const given: unknown = JSON.parse(text)
    return typeof given === 'object' && given !== null ? given : {}
  } catch {
    return {}
  }
}

/** Returns the target named in a request body. A missing target gets the same response as an unknown path. */
const getTarget = ({ target }: Body) => (typeof target === 'string' ? target : '')

const asJson = (answer: ConsoleAnswer) => Response.json(answer, { headers: { 'Cache-Control': 'no-store' } })

/** Builds a response that explains why the console made no call. It is not an API response. */
const noCall = (status: number, message: string) => Response.json({ message }, { status, headers: { 'Cache-Control': 'no-store' } })

/** Makes an unauthenticated call while a page is rendered. */
export function callFromPage({ console }: Service, headers: Headers, target: string): Promise<ConsoleAnswer> {
  return console.call(target, readCaller({ headers, url: '/' }).address)
}

/** Returns true if the call may cost credits. A call with a live key must state its maximum cost, and is never charged more than that. */
const maySpend = ({ maxCredits }: Body) => typeof maxCredits === 'number' && maxCredits > 0

/** Makes a call with a key of the signed-in account. Only the session determines the account. */
async function callSignedIn(service: Service, request: Request, body: Body, session: ConsoleSession): Promise<Response> {
  if (!session.isOurs(request.headers, service.publicUrl)) return noCall(403, 'Calls with a key can only be sent from this site.')
  const spender = await session.spender()
  if (spender === null) return noCall(401, 'You are signed out. Sign in to call with your key.')
  if (maySpend(body) && !spender.isRecent) {
    return noCall(403, `This call may cost credits. Confirm it's you at ${service.publicUrl}/sign-in/confirm, then send the call again.`)
  }
  const own = { accountId: spender.accountId, keyId: String(body.keyId), maxCredits: body.maxCredits }
  const { address } = readCaller(request)
  const answer = await service.console.callAs(own, getTarget(body), { address, headers: pickHeaders(request.headers, ['user-agent']) })
  if ('refusal' in answer) return noCall(errors[answer.refusal.code].status, answer.refusal.message)
  return asJson(answer)
}

/**
 * Handles `POST { "target": "/rates?limit=3" }`. Returns 200 with the response of the call, whatever its status. If `keyId` is given (with `maxCredits` for a
 * live key), the call uses that key of the signed-in account, and requires a recent sign-in if it may cost credits. If the call cannot be made, returns 400,
 * 401, 403 or 404 with `{ "message": "…" }`.
 */
export function createConsoleHandler(service: () => Promise<Service>, session: ConsoleSession): (request: Request) => Promise<Response> {
  return async (request) => {
    const here = await service()
    const body = getBody(await request.text())
    if (body.keyId !== undefined) return callSignedIn(here, request, body, session)
    return asJson(await here.console.call(getTarget(body), readCaller(request).address))
  }
}
