import type { Service } from '#server/runtime/service.ts'
import { pickHeaders, readCaller, toResponse } from './web-request.ts'

const prefix = '/v1'
const read = ['authorization', 'if-none-match', 'idempotency-key', 'x-svc-max-credits', 'user-agent', 'traceparent'] as const

/** Serves v1 in hosts that only support web Request and Response, such as Next route handlers. Uses the same request pipeline as the plain listener. */
export function createFetchHandler(service: () => Promise<Service>): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pipeline, router } = await service()
    const { address, target } = readCaller(request)
    const route = router.resolve(request.method, target.slice(prefix.length))
    return toResponse(await pipeline.answer({ route, headers: pickHeaders(request.headers, read), address }))
  }
}
