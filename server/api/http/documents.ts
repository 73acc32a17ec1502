import type { DocumentName } from '#server/api/documents/published-facts.ts'
import type { Service } from '#server/runtime/service.ts'
import { toResponse } from './web-request.ts'

const names: Readonly<Record<string, DocumentName>> = { '/api/developer/openapi.json': 'openapi', '/api/developer/postman.json': 'postman' }

/** The published document at an address, or null when there is none. A query means nothing to it. */
export function documentAt(url: string): DocumentName | null {
  return url.startsWith('/api/developer/') ? (names[url.split('?', 1)[0] ?? ''] ?? null) : null
}

/** A published document for hosts that only know web Request and Response. */
export function createDocumentHandler(service: () => Promise<Service>, name: DocumentName): (request: Request) => Promise<Response> {
  return async (request) => toResponse(await (await service()).documents.answer(name, request.method, request.headers.get('if-none-match')))
}
