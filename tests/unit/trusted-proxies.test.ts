import { describe, expect, test } from 'vitest'
import { TrustedProxies } from '#server/api/http/trusted-proxies.ts'

const proxies = new TrustedProxies(['127.0.0.1', '10.0.0.0/8', '2001:db8:ffff::/48'])

describe('the client address', () => {
  test('uses the peer address if no proxy is trusted', () => {
    const none = new TrustedProxies()
    expect(none.clientAddress('10.0.0.1', '203.0.113.7')).toBe('10.0.0.1')
    expect(none.clientAddress(null, '203.0.113.7')).toBeNull()
  })

  test.each(['203.0.113.1', '11.0.0.1', '::1', '2001:db8::1', null])('ignores X-Forwarded-For from %s, which is not a trusted proxy', (peer) => {
    expect(proxies.clientAddress(peer, '203.0.113.7')).toBe(peer)
  })

  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['198.51.100.1, 203.0.113.7, 10.0.0.2', '203.0.113.7'],
    ['127.0.0.1, 203.0.113.7 ,10.0.0.2,127.0.0.1', '203.0.113.7'],
    ['10.9.9.9, 10.0.0.2', '10.9.9.9'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['', '10.0.0.1'],
    [undefined, '10.0.0.1'],
    ['203.0.113.7, ', null],
    ['203.0.113.7, unknown', null],
    ['203.0.113.7, _hidden, 10.0.0.2', null],
  ])('with the header "%s" from a trusted proxy, the client address is %s', (header, address) => {
    expect(proxies.clientAddress('10.0.0.1', header)).toBe(address)
    expect(proxies.clientAddress('::ffff:10.0.0.1', header)).toBe(address === '10.0.0.1' ? '::ffff:10.0.0.1' : address)
  })

  test.each([
    [1, '198.51.100.1, 203.0.113.7, 10.0.0.2', '10.0.0.2'],
    [2, '198.51.100.1, 203.0.113.7, 10.0.0.2', '203.0.113.7'],
    [3, '198.51.100.1, 203.0.113.7, 10.0.0.2', '203.0.113.7'],
    [2, '203.0.113.7, 10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ])('with at most %i trusted proxies and the header "%s", the client address is %s', (hops, header, address) => {
    expect(new TrustedProxies(['10.0.0.0/8'], hops).clientAddress('10.0.0.1', header)).toBe(address)
  })

  test('uses the last untrusted address if there are several headers', () => {
    expect(proxies.clientAddress('10.0.0.1', ['198.51.100.1', '203.0.113.7'])).toBe('203.0.113.7')
  })
})

test('forwarding headers are removed unless a trusted proxy sent them', () => {
  const given = () => ({
    host: 'a.test',
    'x-forwarded-for': '1.2.3.4',
    'x-forwarded-host': 'evil.test',
    'x-forwarded-proto': 'https',
    forwarded: 'for=1.2.3.4',
  })
  const [fromClient, fromProxy] = [given(), given()]
  proxies.dropForwarded('203.0.113.1', fromClient)
  proxies.dropForwarded('10.0.0.1', fromProxy)
  expect(fromClient).toEqual({ host: 'a.test' })
  expect(fromProxy).toEqual(given())
})
