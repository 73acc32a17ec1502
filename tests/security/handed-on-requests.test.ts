import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { stampPeer } from '#server/api/http/peer.ts'
import type { Fallback } from '#server/runtime/processes/serve.ts'
import { closeAfterEach, startGatewayAndPages } from '../support/pages-proxy.ts'

const callers: Socket[] = []

closeAfterEach()
afterEach(() => {
  for (const caller of callers.splice(0)) caller.destroy()
})

/** Starts a gateway in front of these pages. Returns the server that renders the pages, and a function that sends bytes to the gateway. */
async function sendTo(pages: Fallback) {
  const { port, inner } = await startGatewayAndPages(pages)
  const send = (bytes: string): Socket => {
    const caller = connect(port, '127.0.0.1').on('error', () => {})
    callers.push(caller)
    caller.write(bytes)
    return caller
  }
  return { send, inner }
}

const ask = (url: string, ...headers: string[]) => `GET ${url} HTTP/1.1\r\n${['Host: h', ...headers].join('\r\n')}\r\n\r\n`

test('does not read a body as the next request if the Connection header lists Content-Length', async () => {
  const seen: string[] = []
  const { send } = await sendTo((received, response) => {
    seen.push(received.url ?? '')
    response.end(received.url)
  })
  const smuggled = 'GET /smuggled HTTP/1.1\r\nX-Pad: '
  for (const connection of ['Connection: content-length', 'Connection: keep-alive\r\nConnection: x,\tContent-Length']) {
    const attacker = send(`${ask('/attack', connection, `Content-Length: ${smuggled.length}`)}${smuggled}`)
    expect(String((await once(attacker, 'data'))[0])).toContain('HTTP/1.1 400 ')
    expect(await text(send(ask('/victim', 'Connection: close')))).toMatch(/^HTTP\/1\.1 200 .*\/victim/s)
  }
  expect(seen).toEqual(['/victim', '/victim'])
})

test.each(['Transfer-Encoding', 'Host', 'Cookie', 'Authorization'])('rejects a request that lists %s in its Connection header', async (name) => {
  const { send } = await sendTo((_received, response) => void response.end('seen'))
  expect(await text(send(ask('/', `Connection: close, ${name}`)))).toMatch(/^HTTP\/1\.1 400 .*Connection header/s)
})

test('forwards the body of a GET, with Content-Length or chunked', async () => {
  const { send } = await sendTo((received, response) => void text(received).then((body) => response.end(`${received.url} read ${body}`)))
  const body = 'GET /b HTTP/1.1\r\n\r\n'
  const whole = `${ask('/a', 'Connection: close', `Content-Length: ${body.length}`)}${body}`
  const chunked = `${ask('/a', 'Connection: close', 'Transfer-Encoding: chunked')}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  for (const request of [whole, chunked]) expect(await text(send(request))).toContain(`/a read ${body}`)
})

test('closes the connection to the page renderer when the response is sent before the request body is complete', async () => {
  const { send, inner } = await sendTo((_received, response) => void response.end('answered'))
  const arrived = once(inner, 'connection')
  const caller = send(`${ask('/', 'Content-Length: 2')}a`)
  const [socket] = (await arrived) as [Socket]
  // Doesn't use `once` from node:events, which rejects if an `error` event precedes `close`. That may happen here, because the request is cut off mid-body.
  const isFree = new Promise((resolve) => void socket.once('close', resolve))
  expect(String((await once(caller, 'data'))[0])).toContain('answered')
  await isFree
  // The rest of the body is still read, so that the client can reuse the connection.
  caller.write(`b${ask('/again', 'Connection: close')}`)
  expect(await text(caller)).toMatch(/^HTTP\/1\.1 200 .*answered/s)
})

test('times out after 30 seconds if the request body is incomplete', async () => {
  const { inner } = await sendTo((_received, response) => void response.end())
  expect(inner.requestTimeout).toBe(30_000)
})

/** Sends a request directly to the page renderer, as only a local program can. Returns the status and the client address that the renderer sees. */
async function askPages(headers: Record<string, string>): Promise<string> {
  const { inner } = await startGatewayAndPages((_received, response, address) => void response.end(String(address)))
  const response = await fetch(`http://127.0.0.1:${(inner.address() as AddressInfo).port}/`, { headers })
  return `${response.status} ${await response.text()}`
}

test("keeps the client's address when Next fetches the page that a form redirects to", async () => {
  const form = { url: '/sign-up', headers: {}, rawHeaders: [] as string[] }
  stampPeer(form as unknown as IncomingMessage, '203.0.113.7')
  expect(await askPages({ ...form.headers, 'x-svc-handed-on': 'forged 203.0.113.8' })).toBe('200 203.0.113.7')
})

test.each([{}, { 'x-svc-peer': `${'0'.repeat(32)} 203.0.113.7 local /` }, { 'x-svc-peer': ' 203.0.113.7 local /' }, { 'x-svc-handed-on': '203.0.113.7' }])(
  'rejects a direct request to the page renderer with the headers %o',
  async (headers) => {
    expect(await askPages(headers as Record<string, string>)).toMatch(/^403 /)
  },
)
