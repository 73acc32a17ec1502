import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writePageHead } from '#server/api/http/portal-answers.ts'
import type { Answer } from '#server/api/pipeline/call.ts'

const answer: Answer = {
  status: 200,
  headers: ['Cache-Control', 'private, no-cache', 'RateLimit', '"minute";r=59;t=12, "day";r=999;t=4000', 'ETag', '"a-3"', 'X-SVC-Cache', 'hit'],
  body: '{"data":["£"]}',
  bytes: Buffer.byteLength('{"data":["£"]}'),
}

const writeHead = (response: ServerResponse) => response.writeHead(200, [...answer.headers, 'Content-Length', String(answer.bytes)])

const server = createServer({ keepAliveTimeout: 7_000, requireHostHeader: false }, (request, response) => {
  if (request.url === '/node') writeHead(response)
  else writePageHead(response, answer)
  response.end(answer.body)
})

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

/** Returns the complete response to these bytes, with a placeholder for the date. */
async function answered(bytes: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.end(bytes)
  return (await text(socket)).replaceAll(/Date: [^\r]+/g, 'Date: …')
}

test.each([
  ['a call', 'GET PATH HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['the last call of a connection', 'GET PATH HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
  ['three pipelined calls', 'GET PATH HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3)],
  ['a HEAD followed by a call', 'HEAD PATH HTTP/1.1\r\nHost: a\r\n\r\nGET PATH HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a call with a body', 'POST PATH HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}'],
  ['an HTTP/1.0 client', 'GET PATH HTTP/1.0\r\n\r\n'],
  ['an HTTP/1.0 client with keep-alive', 'GET PATH HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'],
])('responds to %s with exactly the bytes that Node would write', async (_, request) => {
  const [ours, nodes] = await Promise.all([answered(request.replaceAll('PATH', '/ours')), answered(request.replaceAll('PATH', '/node'))])
  expect(ours).toBe(nodes)
  expect(ours).toContain(`\r\nETag: "a-3"\r\nX-SVC-Cache: hit\r\nContent-Length: ${answer.bytes}\r\n`)
})
