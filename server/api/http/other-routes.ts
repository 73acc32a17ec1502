import type { IncomingMessage } from 'node:http'
import type { DocumentName } from '#server/api/documents/published-values.ts'
import { securityPath } from '#server/api/documents/site/security-text.ts'
import { type Answer, type DirectAnswer, uncachedAnswer } from '#server/api/pipeline/call.ts'
import type { Service } from '#server/runtime/service.ts'
import { legacyHeaders, legacyTarget } from './legacy.ts'
import { answerStripe, isStripePath } from './stripe-webhook.ts'
import { pickHeaders, readCaller, toResponse } from './web-request.ts'

type Facts = Pick<Service, 'securityText'>

const lasting = ['Content-Type', 'text/plain; charset=utf-8', 'X-Content-Type-Options', 'nosniff', 'Cache-Control', 'public, max-age=3600']

function answer({ securityText }: Facts, method: string): Answer {
  if (method !== 'GET' && method !== 'HEAD') return uncachedAnswer(405, 'text/plain', 'This path only supports GET and HEAD.\n', 'Allow', 'GET, HEAD')
  const text = securityText()
  if (text === null) return uncachedAnswer(404, 'text/plain', 'The operator of this service has not set a contact for security reports.\n')
  return { status: 200, headers: [...lasting], body: method === 'HEAD' ? '' : text, bytes: Buffer.byteLength(text) }
}

/** Returns a function that answers a request for security.txt on the plain listener; null for any other URL. */
function securityTextAt(url: string, facts: Facts, method: string): (() => Promise<Answer>) | null {
  return url === securityPath || url.startsWith(`${securityPath}?`) ? async () => answer(facts, method) : null
}

/** Serves security.txt with web Request and Response objects, for example in Next. next.config.mjs rewrites its URL to this handler. */
export function createSecurityTextHandler(service: () => Promise<Facts>): (request: Request) => Promise<Response> {
  return async (request) => toResponse(answer(await service(), request.method))
}

const names: Readonly<Record<string, DocumentName>> = {
  '/api/developer/openapi.json': 'openapi',
  '/api/developer/postman.json': 'postman',
  '/api/developer/postman-environment.json': 'postman-environment',
}

/** Returns the name of the published document at a URL, or null if there is none. The query is ignored. */
function documentAt(url: string): DocumentName | null {
  return url.startsWith('/api/developer/') ? (names[url.split('?', 1)[0] ?? ''] ?? null) : null
}

/** Serves a published document with web Request and Response objects, for example in Next route handlers. */
export function createDocumentHandler(service: () => Promise<Service>, name: DocumentName): (request: Request) => Promise<Response> {
  return async (request) => {
    const { documents } = await service()
    return toResponse(await documents.answer(name, request.method, request.headers.get('if-none-match'), readCaller(request).acceptEncoding))
  }
}

/** Serves the partner API with web Request and Response objects, without the plain listener. */
export function createLegacyHandler(service: () => Promise<Service>): (request: Request) => Promise<Response> {
  return async (request) => {
    const { legacy } = await service()
    const { address, target } = readCaller(request)
    return toResponse(await legacy.answer(request.method, legacyTarget(target) ?? '', pickHeaders(request.headers, legacyHeaders), address))
  }
}

type OtherRoutes = Pick<Service, 'legacy' | 'documents' | 'stripe' | 'securityText'>

/** Routes the plain listener's other requests: the older partner API, the published documents, the Stripe webhook and security.txt. */
export function answerOtherRoutes({ legacy, documents, stripe, ...facts }: OtherRoutes) {
  const toStripe = answerStripe(stripe)
  return (url: string, request: IncomingMessage, address: string | null): (() => Promise<DirectAnswer>) | null => {
    const { method = 'GET', headers } = request
    if (isStripePath(url)) return () => toStripe(request)
    const target = legacyTarget(url)
    if (target !== null) return () => legacy.answer(method, target, headers, address)
    const name = documentAt(url)
    return name === null
      ? securityTextAt(url, facts, method)
      : () => documents.answer(name, method, headers['if-none-match'] ?? null, headers['accept-encoding'])
  }
}
