import { expect } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { onEachMount } from './support/fixture.ts'
import { inOneMinute, keyChanged, secondsLeftInMinute } from './support/operator.ts'

const list = ['203.0.113.0/24', '198.51.100.7', '2001:db8:1::/48', '::ffff:192.0.2.0/124']

/** Last octet of the caller address used most recently. Each test increments it to get an unused address. */
let tried = 100

/** Requests come from 127.0.0.1, a trusted proxy, so the caller is the last entry of X-Forwarded-For. */
onEachMount(
  (fixture) => {
    const from = (address: string, key: string | null, path = '/ping') => fixture.get(path, key, { 'x-forwarded-for': address })

    verifies('authentication/ip-list-admits-listed', async () => {
      const { key } = await fixture.live({}, { addresses: list })
      const listed = ['203.0.113.0', '203.0.113.255', '198.51.100.7', '2001:db8:1::1', '2001:db8:1:ffff:ffff:ffff:ffff:ffff', '192.0.2.15']
      const dressed = ['::ffff:203.0.113.9', '::FFFF:203.0.113.9', '203.0.113.9:51000', '[2001:db8:1::9]:51000', '::ffff:192.0.2.1', '2001:DB8:1::A']
      for (const address of [...listed, ...dressed]) expect((await from(address, key)).status, address).toBe(200)
    })

    verifies('errors/ip-not-allowed', 'rejects every address that is not on the list', async () => {
      const { key, account } = await fixture.live({}, { addresses: list })
      const strange = [
        '203.0.114.0',
        '198.51.100.8',
        '2001:db8:2::1',
        '192.0.2.16',
        '127.0.0.1',
        '::1',
        '::ffff:198.51.100.8',
        '::203.0.113.9',
        'unknown',
        '203.0.113',
        '',
      ]
      for (const address of strange) {
        const answer = await from(address, key, '/rates')
        expectError(answer, 403, 'ip_not_allowed')
      }
      expect(await fixture.balance(account)).toBe(100)
    })

    verifies('errors/ip-not-allowed', 'shows the IPv4 form of a mapped address in the message', async () => {
      const { key } = await fixture.live({}, { addresses: list })
      for (const [address, shown] of [
        ['127.0.0.1', '127.0.0.1'],
        ['::ffff:127.0.0.1', '127.0.0.1'],
        ['2001:db8:2::1', '2001:db8:2::1'],
      ] as const) {
        expect((await from(address, key)).body.message).toContain(`This key can't be used from ${shown}. `)
      }
    })

    verifies('errors/ip-not-allowed', 'trusts only the entry added by the trusted proxy', async () => {
      const { key } = await fixture.live({}, { addresses: list })
      expect((await from('10.0.0.1, 203.0.113.9', key)).status).toBe(200)
      expectError(await from('203.0.113.9, 10.0.0.1', key), 403, 'ip_not_allowed')
      expectError(await from('203.0.113.9, ', key), 403, 'ip_not_allowed')
      for (const name of ['x-real-ip', 'forwarded', 'x-svc-peer', 'cf-connecting-ip']) {
        expectError(await fixture.get('/ping', key, { [name]: '203.0.113.9' }), 403, 'ip_not_allowed')
      }
    })

    verifies('errors/ip-not-allowed', 'uses the address of the proxy for calls that the proxy itself makes', async () => {
      const { key } = await fixture.live({}, { addresses: ['127.0.0.1'] })
      expect((await fixture.get('/ping', key)).status).toBe(200)
      expect((await from('127.0.0.1', key)).status).toBe(200)
      expectError(await from('203.0.113.9, 127.0.0.1', key), 403, 'ip_not_allowed')
    })

    verifies('authentication/ip-list-is-optional', async () => {
      const { key } = await fixture.live()
      for (const address of ['203.0.113.9', '2001:db8::1', 'unknown', '']) expect((await from(address, key)).status, address).toBe(200)
      expect((await fixture.get('/ping', key)).status).toBe(200)
    })

    verifies('authentication/ip-list-is-optional', 'ignores the list for test keys, and applies changes to the next call', async () => {
      const test = await fixture.test({}, { addresses: list })
      expect((await from('10.0.0.1', test.key)).status).toBe(200)
      const { key, keyId } = await fixture.live({}, { addresses: list })
      expect((await from('203.0.113.9', key)).status).toBe(200)
      await fixture.sql(`UPDATE api_key SET addresses = '{10.0.0.1}' WHERE public_id = $1`, [keyId])
      await keyChanged(fixture, keyId)
      expectError(await from('203.0.113.9', key), 403, 'ip_not_allowed')
      expect((await from('10.0.0.1', key)).status).toBe(200)
    })

    verifies(
      'decision/no-key-limited-by-address',
      inOneMinute(async () => {
        const address = `192.0.2.${++tried}`
        const first = await from(address, null)
        expectError(first, 401, 'missing_api_key', {}, false)
        expect(first.headers.get('x-ratelimit-limit')).toBe('1000')
        expect(first.headers.get('x-ratelimit-remaining')).toBe('999')
        expect(first.headers.get('ratelimit')).toMatch(/^"address";r=999;t=\d+$/)
        expect(first.headers.get('ratelimit-policy')).toBe('"address";q=1000;w=60')
        for (let sent = 1; sent < 1_000; sent += 37) {
          const batch = Array.from({ length: Math.min(37, 1_000 - sent) }, (_, at) => from(address, at % 2 === 0 ? null : 'svc_live_made_up'))
          for (const { status } of await Promise.all(batch)) expect(status).toBe(401)
        }
        const retryAfter = secondsLeftInMinute()
        const over = await from(address, null)
        const seconds = Number(over.headers.get('retry-after'))
        expect([retryAfter, retryAfter - 1]).toContain(seconds)
        expectError(over, 429, 'rate_limited', { retryAfter: seconds }, false)
        expect([over.headers.get('x-ratelimit-remaining'), over.headers.get('x-ratelimit-reset')]).toEqual(['0', String(seconds)])
        expect((await from('192.0.2.200', null)).status).toBe(401)
        const { key } = await fixture.live()
        expect((await from(address, key)).status).toBe(200)
      }, 30),
      80_000,
    )
  },
  { env: { TRUST_PROXY: '127.0.0.1,::1' } },
)
