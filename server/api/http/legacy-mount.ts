import type { Service } from '#server/runtime/service.ts'
import { legacyHeaders, legacyTarget } from './legacy.ts'
import { pickHeaders, readCaller, toResponse } from './web-request.ts'

/** Serves the partner API with web Request and Response objects, without the plain listener. */
export function createLegacyHandler(service: () => Promise<Service>): (request: Request) => Promise<Response> {
  return async (request) => {
    const { legacy } = await service()
    const { address, target } = readCaller(request)
    return toResponse(await legacy.answer(request.method, legacyTarget(target) ?? '', pickHeaders(request.headers, legacyHeaders), address))
  }
}
