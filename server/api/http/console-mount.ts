import { errors } from '#server/api/contract/errors.ts'
import type { Service } from '#server/runtime/service.ts'
import type { ConsoleAnswer } from './site-console.ts'
import { pickHeaders, readCaller } from './web-request.ts'

const longestBody = 4_000

/** How the console learns who calls with a key of their own. */
export type ConsoleSession = {
  /** Whether a request was sent by a page of this site: a call may spend, and no other page may make one. */
  readonly isOurs: (headers: Headers, publicUrl: string) => boolean
  /** Who is signed in, and whether they signed in or confirmed it lately; null: nobody is. */
  readonly spender: () => Promise<{ readonly accountId: number; readonly isRecent: boolean } | null>
}

type Body = { readonly target?: unknown; readonly keyId?: unknown; readonly maxCredits?: unknown }

/** The fields of a JSON body; none when there is no such body. */
function bodyOf(text: string): Body {
  if (text.length > longestBody) return {}
  try {
    const given: unknown = JSON.parse(text)
    return typeof given === 'object' && given !== null ? given : {}
  } catch {
    return {}
  }
}

/** A body without a target is answered like any unknown path. */
const targetOf = ({ target }: Body) => (typeof target === 'string' ? target : '')

const asJson = (answer: ConsoleAnswer) => Response.json(answer, { headers: { 'Cache-Control': 'no-store' } })

/** Why there is no call: of the console itself, not an answer of the API. */
const noCall = (status: number, message: string) => Response.json({ message }, { status, headers: { 'Cache-Control': 'no-store' } })

/** A visitor's call from a page that is being made. */
export function callFromPage({ console }: Service, headers: Headers, target: string): Promise<ConsoleAnswer> {
  return console.call(target, readCaller({ headers, url: '/' }).address)
}

/** A live key makes no call above this ceiling, and none without one. */
const maySpend = ({ maxCredits }: Body) => typeof maxCredits === 'number' && maxCredits > 0

/** A call with a key of the account that is signed in. Who that is comes from the session alone. */
async function callSignedIn(service: Service, request: Request, body: Body, session: ConsoleSession): Promise<Response> {
  if (!session.isOurs(request.headers, service.publicUrl)) return noCall(403, 'Calls with a key are taken from this site only.')
  const spender = await session.spender()
  if (spender === null) return noCall(401, 'You are signed out. Sign in to call with your key.')
  if (maySpend(body) && !spender.isRecent) {
    return noCall(403, `This call may cost credits. Confirm it's you at ${service.publicUrl}/sign-in/confirm, then send the call again.`)
  }
  const own = { accountId: spender.accountId, keyId: String(body.keyId), maxCredits: body.maxCredits }
  const { address } = readCaller(request)
  const answer = await service.console.callAs(own, targetOf(body), { address, headers: pickHeaders(request.headers, ['user-agent']) })
  if ('refusal' in answer) return noCall(errors[answer.refusal.code].status, answer.refusal.message)
  return asJson(answer)
}

/**
 * `POST { "target": "/rates?limit=3" }` answers 200 with what the call was answered, whatever that is. With `keyId`, and `maxCredits` for a live key, the
 * call is made with that key of whoever is signed in, after a recent sign-in if it may cost credits; where it cannot be made at all, the answer is 400, 401, 403 or 404 and `{ "message": "…" }`.
 */
export function createConsoleHandler(service: () => Promise<Service>, session: ConsoleSession): (request: Request) => Promise<Response> {
  return async (request) => {
    const here = await service()
    const body = bodyOf(await request.text())
    if (body.keyId !== undefined) return callSignedIn(here, request, body, session)
    return asJson(await here.console.call(targetOf(body), readCaller(request).address))
  }
}
