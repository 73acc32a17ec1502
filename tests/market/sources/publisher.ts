import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A web server of this test that answers as a publisher would, for better or worse, and keeps the requests that it got. */
export type Publisher = { readonly url: string; readonly requests: IncomingMessage[]; answer: Answer }

const running: Server[] = []

afterEach(async () => {
  for (const server of running.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

/** Starts one on a free port; it ends with the test. `answer` may be changed between requests. */
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

/** Answers with a text. */
export const says =
  (body: string | Buffer, headers: Record<string, string> = { 'content-type': 'text/csv' }, status = 200): Answer =>
  (_request, response) => {
    response.writeHead(status, headers)
    response.end(body)
  }

/** Answers each request with the next; the last one goes on for ever. */
export function inTurn(...answers: readonly Answer[]): Answer {
  let next = 0
  return (request, response) => {
    const answer = answers[Math.min(next, answers.length - 1)]
    next += 1
    answer?.(request, response)
  }
}

/** Sends a piece every so often until the other side hangs up. `onClose` hears when it does. */
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

/** Announces more than it sends, and breaks off. */
export const breaksOff =
  (text: string): Answer =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/csv', 'content-length': String(text.length + 100) })
    response.write(text)
    setTimeout(() => response.destroy(), 20)
  }
