import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { NetworkLimit } from '#server/api/http/network-limit.ts'

/** Server with the page limit and a page that echoes the request body. The x-address header sets the client address. */
let server: Server

beforeEach(async () => {
  const handle = new NetworkLimit(600).over((asked, response) => void text(asked).then((body) => response.end(body)))
  server = createServer((asked, response) => handle(asked, response, String(asked.headers['x-address'])))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** Starts a request without completing it. */
const begin = (address: string, length: number) => {
  const { port } = server.address() as AddressInfo
  const sent = request({ port, host: '127.0.0.1', method: 'POST', agent: false, headers: { 'x-address': address, 'content-length': length } })
  sent.on('error', () => undefined)
  sent.flushHeaders()
  return sent
}

async function answerTo(sent: ReturnType<typeof begin>): Promise<{ status: number | undefined; body: string }> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode, body: await text(response) }
}

test('serves other clients while some never finish sending their request body', async () => {
  for (let turn = 0; turn < 64; turn++) {
    const arrived = once(server, 'request')
    begin(turn % 2 ? '203.0.113.1' : '203.0.113.2', 1_000)
    await arrived
  }
  const other = begin('203.0.113.3', 0)
  other.end()
  expect((await answerTo(other)).status).toBe(200)
})

test('returns 408 to a client that sends too slowly', { timeout: 15_000 }, async () => {
  const slow = begin('203.0.113.1', 10)
  slow.write('half')
  expect((await answerTo(slow)).status).toBe(408)
})

test.each([1, 65_536, 524_288])('delivers a body of %i bytes unchanged when it arrives in pieces', async (length) => {
  const body = 'abcdefgh'.repeat(65_536).slice(0, length)
  const sent = begin('203.0.113.1', length)
  const middle = Math.floor(length / 2)
  sent.write(body.slice(0, middle))
  await new Promise((resolve) => setTimeout(resolve, 50))
  sent.end(body.slice(middle))
  const answer = await answerTo(sent)
  expect([answer.status, answer.body === body]).toEqual([200, true])
})

test('queues concurrent requests from one network up to a limit', async () => {
  const all = Array.from({ length: 40 }, () => {
    const sent = begin('203.0.113.1', 0)
    sent.end()
    return answerTo(sent)
  })
  const statuses = (await Promise.all(all)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(32)
})
