import { securityPath } from '#server/api/documents/site/security-text.ts'
import type { Answer } from '#server/api/pipeline/call.ts'
import type { Service } from '#server/runtime/service.ts'
import { toResponse } from './web-request.ts'

type Facts = Pick<Service, 'securityText'>

const plain = ['Content-Type', 'text/plain; charset=utf-8', 'X-Content-Type-Options', 'nosniff'] as const

function unanswered(status: number, text: string, ...headers: string[]): Answer {
  return { status, headers: [...plain, 'Cache-Control', 'no-store', ...headers], body: text, bytes: Buffer.byteLength(text) }
}

function answer({ securityText }: Facts, method: string): Answer {
  if (method !== 'GET' && method !== 'HEAD') return unanswered(405, 'This path only supports GET and HEAD.\n', 'Allow', 'GET, HEAD')
  const text = securityText()
  if (text === null) return unanswered(404, 'The operator of this service has not set a contact for security reports.\n')
  return { status: 200, headers: [...plain, 'Cache-Control', 'public, max-age=3600'], body: method === 'HEAD' ? '' : text, bytes: Buffer.byteLength(text) }
}

/** Serves security.txt on the plain listener; null for any other URL. */
export function securityTextAt(url: string, facts: Facts, method: string): (() => Promise<Answer>) | null {
  return url === securityPath || url.startsWith(`${securityPath}?`) ? async () => answer(facts, method) : null
}

/** Serves security.txt in hosts that only support web Request and Response. next.config.mjs rewrites its URL to this handler. */
export function createSecurityTextHandler(service: () => Promise<Facts>): (request: Request) => Promise<Response> {
  return async (request) => toResponse(answer(await service(), request.method))
}
