import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Test web server that behaves like a publisher, and records its requests. */
export type Publisher = { readonly url: string; readonly requests: IncomingMessage[]; answer: Answer }

const running: Server[] = []

afterEach(async () => {
  for (const server of running.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

/** Starts a server on a free port and stops it at the end of the test. `answer` can be changed between requests. */
export async function publisher(answer: Answer): Promise<Publisher> {
  const requests: IncomingMessage[] = []
  const here = { answer }
  const server = createServer((request, response) => {
    requests.push(request)
    here.answer(request, response)
  })
  running.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(here, { url: `http://127.0.0.1:${port}/file`, requests })
}

/** Responds with text. */
export const says =
  (body: string | Buffer, headers: Record<string, string> = { 'content-type': 'text/csv' }, status = 200): Answer =>
  (_request, response) => {
    response.writeHead(status, headers)
    response.end(body)
  }

/** Returns a handler that passes each request to the next of the given handlers. The last one also handles all further requests. */
export function inTurn(...answers: readonly Answer[]): Answer {
  let next = 0
  return (request, response) => {
    const answer = answers[Math.min(next, answers.length - 1)]
    next += 1
    answer?.(request, response)
  }
}

/** Sends a chunk periodically until the client disconnects, then calls `onClose`. */
export const drips =
  (piece: string | Buffer, everyMs: number, onClose: () => void = () => undefined): Answer =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/csv' })
    const timer = setInterval(() => response.write(piece), everyMs)
    response.once('close', () => {
      clearInterval(timer)
      onClose()
    })
  }

/** Sends less data than its Content-Length promises, then closes the connection. */
export const breaksOff =
  (text: string): Answer =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/csv', 'content-length': String(text.length + 100) })
    response.write(text)
    setTimeout(() => response.destroy(), 20)
  }
