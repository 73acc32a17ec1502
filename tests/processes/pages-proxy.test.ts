/** Tests a real gateway listener in front of the real page server, both in one process. */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { closeAfterEach, listening, proxyToken, startGatewayAndPages } from '../support/pages-proxy.ts'

closeAfterEach()

test('forwards a request unchanged, with the client address and without hop-by-hop headers', async () => {
  const { origin } = await startGatewayAndPages((received, response, address) => {
    void text(received).then((body) => {
      response.setHeader('Set-Cookie', ['a=1', 'b=2'])
      response.writeHead(207, 'Odd', { 'X-Of-Pages': 'yes' })
      response.end(JSON.stringify({ method: received.method, url: received.url, address, body, headers: received.headers }))
    })
  })
  const headers = { 'X-Custom': 'kept', 'X-SVC-Handed-On': `${proxyToken} 198.51.100.1` }
  const answer = await fetch(`${origin}/a%20page?x=%2F&y`, { method: 'PATCH', body: 'some body', headers })
  const seen = (await answer.json()) as { headers: Record<string, string> }
  expect([answer.status, answer.statusText, answer.headers.getSetCookie(), answer.headers.get('x-of-pages')]).toEqual([207, 'Odd', ['a=1', 'b=2'], 'yes'])
  expect(seen).toMatchObject({ method: 'PATCH', url: '/a%20page?x=%2F&y', address: '203.0.113.9', body: 'some body' })
  expect(seen.headers['x-custom']).toBe('kept')
  expect(seen.headers['host']).toBe(new URL(origin).host)
  expect(seen.headers['x-svc-handed-on']).toBeUndefined()
})

test('removes hop-by-hop headers, but keeps ordinary headers that the client lists in Connection', async () => {
  const { origin } = await startGatewayAndPages((received, response) => void response.end(JSON.stringify(received.headers)))
  const sent = request(origin, { headers: { Connection: 'close, X-Hop', 'X-Hop': 'kept', TE: 'trailers', 'Keep-Alive': 'timeout=5', 'X-End': 'yes' } }).end()
  const [answer] = await once(sent, 'response')
  const seen = JSON.parse(await text(answer)) as Record<string, string>
  expect([seen['x-end'], seen['x-hop'], seen['te'], seen['keep-alive'], seen['connection']]).toEqual(['yes', 'kept', undefined, undefined, 'keep-alive'])
})

test('forwards an unknown client address as null', async () => {
  const { origin } = await startGatewayAndPages((_received, response, address) => void response.end(String(address)), null)
  expect(await (await fetch(origin)).text()).toBe('null')
})

test('rejects direct requests to the pages process', async () => {
  const { innerOrigin } = await startGatewayAndPages((_received, response) => void response.end('secret'))
  for (const given of ['', 'wrong 203.0.113.9', `${proxyToken}`, `${'x'.repeat(proxyToken.length)} 203.0.113.9`]) {
    const answer = await fetch(innerOrigin, { headers: { 'x-svc-handed-on': given } })
    expect([answer.status, await answer.text()]).toEqual([403, 'This port is only for the gateways of the service.\n'])
  }
})

test('streams responses, and forwards a request body of unknown length', async () => {
  const { promise: goOn, resolve: next } = Promise.withResolvers<void>()
  const { origin } = await startGatewayAndPages((received, response) => {
    response.write('first ')
    void goOn.then(async () => response.end(`then ${await text(received)}`))
  })
  const sent = request(origin, { method: 'POST' })
  sent.write('one ')
  const [answer] = await once(sent, 'response')
  const [part] = await once(answer, 'data')
  expect(String(part)).toBe('first ')
  next()
  sent.end('two')
  expect(await text(answer)).toBe('then one two')
})

test('aborts the page request when the client disconnects', async () => {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const { origin } = await startGatewayAndPages((_received, response) => {
    response.write('a beginning')
    response.once('close', resolve)
  })
  const sent = request(origin)
  sent.on('error', () => {}).end()
  await once(sent, 'response')
  sent.destroy()
  await ended
})

test('aborts the response to the client when the page server aborts its response', async () => {
  const { origin } = await startGatewayAndPages((_received, response) => {
    response.write('a beginning')
    setImmediate(() => response.destroy())
  })
  await expect(fetch(origin).then((answer) => answer.text())).rejects.toThrow()
})

test('returns 503 with a short message while the page server is unavailable', async () => {
  const { origin, state } = await startGatewayAndPages((received) => void received.socket.destroy())
  const sentence = 'The website is restarting. Try again in a few seconds.\n'
  const expectAway = async () => {
    const answer = await fetch(origin)
    expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).toEqual([503, '2', sentence])
  }
  await expectAway()
  state.pagesPort = null
  await expectAway()
  const free = createServer()
  state.pagesPort = await listening(free)
  free.close()
  await once(free, 'close')
  await expectAway()
})
