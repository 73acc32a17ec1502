import type { Service } from '../service.ts'
import type { ConsoleAnswer } from './site-console.ts'
import { readCaller } from './web-request.ts'

const longestBody = 4_000

/** The `target` of a JSON body; empty when there is none, which is answered like any unknown path. */
function targetIn(body: string): string {
  try {
    const given: unknown = JSON.parse(body)
    return typeof given === 'object' && given !== null && 'target' in given && typeof given.target === 'string' ? given.target : ''
  } catch {
    return ''
  }
}

/** A visitor's call from a page that is being made. */
export function callFromPage({ console, trustProxy }: Service, headers: Headers, target: string): Promise<ConsoleAnswer> {
  return console.call(target, readCaller({ headers, url: '/' }, trustProxy).address)
}

/** `POST { "target": "/rates?limit=3" }`: answers 200 with what the call was answered, whatever that is. */
export function createConsoleHandler(service: () => Promise<Service>): (request: Request) => Promise<Response> {
  return async (request) => {
    const { console, trustProxy } = await service()
    const { address } = readCaller(request, trustProxy)
    const body = await request.text()
    const answer = await console.call(body.length > longestBody ? '' : targetIn(body), address)
    return Response.json(answer, { headers: { 'Cache-Control': 'no-store' } })
  }
}
