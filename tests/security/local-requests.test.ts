import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { isLocalRequest, stampPeer } from '#server/api/http/peer.ts'

type Given = Record<string, string>

/** Marks a request as our listener does. Returns whether it counts as local, and the headers that Next receives. */
function stamped(address: string | null, headers: Given, httpVersion = '1.1'): { isLocal: boolean; headers: Given } {
  const all = { host: 'localhost:3000', ...headers }
  const request = { url: '/dev/mail', headers: all, httpVersion, rawHeaders: Object.entries(all).flat() } as unknown as IncomingMessage
  stampPeer(request, address)
  return { isLocal: isLocalRequest(new Headers(request.headers as Given)), headers: request.headers as Given }
}

test.each(['127.0.0.1', '127.4.5.6', '::1', '::ffff:127.0.0.1'])('treats a request from %s as local', (address) => {
  expect(stamped(address, {}).isLocal).toBe(true)
})

test.each<[string, string | null, Given]>([
  ['another machine', '192.0.2.7', {}],
  ['an unknown address', null, {}],
  ['a client with another Host', '127.0.0.1', { host: 'rebound.example' }],
  ['a proxy that sends X-Forwarded-For', '127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }],
  ['a proxy that sends X-Forwarded', '127.0.0.1', { 'x-forwarded': 'for=203.0.113.7' }],
  ['a client with a forged x-svc-peer header', '127.0.0.1', { 'x-svc-peer': '0123456789abcdef0123456789abcdef 127.0.0.1 local /', via: '1.1 proxy' }],
])('does not treat a request from %s as local', (_what, address, headers) => {
  expect(stamped(address, headers).isLocal).toBe(false)
})

test('does not treat an HTTP/1.0 request as local', () => {
  expect(stamped('127.0.0.1', {}, '1.0').isLocal).toBe(false)
})

test("treats Next's request for the page that a form redirects to as local only if the form request was local", () => {
  const again = (address: string) => stamped('127.0.0.1', { ...stamped(address, {}).headers, 'x-forwarded-host': 'localhost:3000' }).isLocal
  expect([again('127.0.0.1'), again('192.0.2.7')]).toEqual([true, false])
})

test('does not treat requests that bypass our HTTP listener as local', () => {
  expect(isLocalRequest(new Headers({ host: 'localhost:3000' }))).toBe(false)
})
