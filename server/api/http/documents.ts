import type { DocumentName } from '#server/api/documents/published-values.ts'
import type { Service } from '#server/runtime/service.ts'
import { toResponse } from './web-request.ts'

const names: Readonly<Record<string, DocumentName>> = { '/api/developer/openapi.json': 'openapi', '/api/developer/postman.json': 'postman' }

/** Returns the name of the published document at a URL, or null if there is none. The query is ignored. */
export function documentAt(url: string): DocumentName | null {
  return url.startsWith('/api/developer/') ? (names[url.split('?', 1)[0] ?? ''] ?? null) : null
}

/** Serves a published document in hosts that only support web Request and Response. */
export function createDocumentHandler(service: () => Promise<Service>, name: DocumentName): (request: Request) => Promise<Response> {
  return async (request) => toResponse(await (await service()).documents.answer(name, request.method, request.headers.get('if-none-match')))
}
