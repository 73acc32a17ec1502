import type { CallHeaders } from '../gate/call.ts'
import type { Service } from '../service.ts'
import { callerAddress } from './caller-address.ts'
import { readPeer } from './peer.ts'

const read = ['authorization', 'if-none-match', 'idempotency-key', 'x-svc-max-credits'] as const

function headersOf(headers: Headers): CallHeaders {
  const found: Record<string, string> = {}
  for (const name of read) {
    const value = headers.get(name)
    if (value !== null) found[name] = value
  }
  return found
}

/** The target under the version, from an absolute address or a path. */
function targetOf(url: string): string {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2)
  const hash = url.indexOf('#')
  return url.slice(start + '/v1'.length, hash < 0 ? undefined : hash)
}

/** The mount for hosts that only know web Request and Response, such as Next route handlers. The very same gate as on the lean listener. */
export function createFetchHandler(service: () => Promise<Service>): (request: Request) => Promise<Response> {
  return async (request) => {
    const { gate, router, trustProxy } = await service()
    const peer = readPeer(request.headers)
    const address = peer ? peer.address : callerAddress(null, request.headers.get('x-forwarded-for') ?? undefined, trustProxy)
    const route = router.resolve(request.method, targetOf(peer?.url ?? request.url))
    const answer = await gate.answer({ route, headers: headersOf(request.headers), address })
    const headers: [string, string][] = []
    for (let at = 0; at < answer.headers.length; at += 2) headers.push([answer.headers[at] ?? '', answer.headers[at + 1] ?? ''])
    if (answer.status !== 304) headers.push(['Content-Length', String(answer.bytes)])
    return new Response(answer.status === 304 ? null : answer.body, { status: answer.status, headers })
  }
}
