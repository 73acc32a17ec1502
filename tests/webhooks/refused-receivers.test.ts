import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getDelivery } from '#server/webhooks/deliveries.ts'
import { createWebhook, updateWebhook } from '#server/webhooks/manage-endpoints.ts'
import { createResolver, refusedAddress, resolveAddress } from '#server/webhooks/reach.ts'
import type { Reach } from '#server/webhooks/webhook-deps.ts'
import { cites } from '../requirements/verifies.ts'
import { NameServer } from './support/name-server.ts'
import { Receiver } from './support/receiver.ts'
import { WebhookFixture } from './support/webhook-fixture.ts'

cites('webhooks/addresses-checked')

const fixture = new WebhookFixture()
const names = new NameServer()
let servers: string[] = []

beforeAll(async () => {
  servers = [await names.open()]
})
afterAll(() => names.close())

const production = { developmentFeatures: false, allowsPrivate: false }

const addresses = [
  ...['127.0.0.1', '127.1.2.3', '0.0.0.0', '0.1.2.3', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '169.254.170.2'],
  ...['100.64.0.1', '100.127.255.255', '100.100.100.200', '192.0.0.192', '192.0.2.1', '198.18.0.1', '198.19.255.255', '198.51.100.7', '203.0.113.9'],
  ...['168.63.129.16', '192.88.99.1', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255'],
  ...['::1', '::', 'fe80::1', 'febf::1', 'fc00::1', 'fd00:ec2::254', 'fd20:ce::254', 'fec0::1', 'ff02::1', '::ffff:127.0.0.1', '::ffff:169.254.169.254'],
  ...['::ffff:a00:1', '::ffff:0:127.0.0.1', '::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::a00:1', '100::1', '2001::1', '2001:10::1'],
  ...[
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:a9fe:a9fe::1',
    '3fff::1',
    '5f00::1',
    '2a00:1450::5efe:127.0.0.1',
    '2a00:1450::200:5efe:a00:1',
    '4000::1',
    'e000::1',
  ],
]

/** URL spellings of internal addresses and names. */
const urls = [
  ...[
    'https://localhost/',
    'https://LOCALHOST./',
    'https://api.localhost/',
    'https://localhost.localdomain/',
    'https://printer.local/',
    'https://db.internal/',
  ],
  ...['https://metadata.google.internal/computeMetadata/v1/', 'https://intranet/', 'https://router.lan/', 'https://nas.home.arpa/', 'https://vault.corp/'],
  ...[
    'https://2130706433/',
    'https://0x7f000001/',
    'https://017700000001/',
    'https://0x7f.0.0.1/',
    'https://0177.0.0.01/',
    'https://127.1/',
    'https://127.0.1/',
  ],
  ...[
    'https://0/',
    'https://0.0.0.0/',
    'https://127.0.0.1./',
    'https://%31%32%37.0.0.1/',
    'https://①②⑦.⓪.⓪.①/',
    'https://127。0。0。1/',
    'https://１２７.0.0.1/',
  ],
  ...[
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[fe80::1%25eth0]/',
  ],
  ...['https://3232235777/', 'https://0xa9fea9fe/', 'https://169.254.43518/', 'https://0251.0376.0251.0376/'],
  ...[
    'http://hooks.example.com/',
    'ftp://hooks.example.com/',
    'file:///etc/passwd',
    'gopher://hooks.example.com/',
    'javascript:alert(1)',
    '//hooks.example.com/',
  ],
  ...[
    'https://user:secret@hooks.example.com/',
    'https://user@hooks.example.com/',
    'https://hooks.example.com@127.0.0.1/',
    'https://127.0.0.1#@hooks.example.com/',
  ],
  ...['https://hooks.example.com\\@127.0.0.1/', 'https://hooks.example.com:22/', 'https://hooks.example.com:25/', 'https://hooks.example.com:6379/'],
  ...[
    'https://hooks.example.com:80/',
    'https://hooks.example.com:5432/',
    'https://hooks.example.com:0/',
    'https://hooks.example.com:65536/',
    'https:hooks.example.com',
  ],
  ...[
    'https://hooks.example.com/a\r\nHost: inside',
    'https://hooks.example.com/#part',
    'https://',
    'https:///',
    ' ',
    'hooks.example.com',
    'https://exa mple.com/',
  ],
  ...[
    'https://1.0.0.127.in-addr.arpa/',
    'https://hooks.example.1/',
    'https://hooks.0x1/',
    `https://hooks.example.com/${'x'.repeat(2_000)}`,
    'https://hidden.onion/',
  ],
]

test('tests at least 120 distinct addresses and URLs', () => {
  expect(new Set([...addresses, ...urls]).size).toBe(addresses.length + urls.length)
  expect(addresses.length + urls.length).toBeGreaterThanOrEqual(120)
})

test.each(urls)('rejects %s when an endpoint is created or updated', async (url) => {
  const account = await fixture.account()
  const given = { url, types: ['rate.changed' as const], providers: [], accountTypes: [], minChangeBp: null, description: '' }
  const deps = fixture.deps(production)
  await expect(createWebhook(deps, fixture.owner(account), given)).rejects.toMatchObject({ name: 'FieldsError' })
  const { id } = await createWebhook(deps, fixture.owner(account), { ...given, url: 'https://hooks.example.com/' })
  await expect(updateWebhook(deps, fixture.owner(account), id, given)).rejects.toMatchObject({ name: 'FieldsError' })
})

test.each(addresses)('rejects %s, in a URL and as a resolved address', async (address) => {
  expect(refusedAddress(address)).not.toBeNull()
  const written = `https://${address.includes(':') ? `[${address}]` : address}/`
  const account = await fixture.account()
  const given = { url: written, types: ['rate.changed' as const], providers: [], accountTypes: [], minChangeBp: null, description: '' }
  await expect(createWebhook(fixture.deps(production), fixture.owner(account), given)).rejects.toMatchObject({ name: 'FieldsError' })
})

test.each([
  ...['1.1.1.1', '8.8.8.8', '93.184.216.34', '172.15.255.255', '172.32.0.1', '100.63.255.255', '100.128.0.1', '169.253.1.1', '192.0.1.1', '198.20.0.1'],
  ...['2606:4700:4700::1111', '2a00:1450:4009:81f::200e', '2001:4860:4860::8888', '2001:200::1', '2003::1'],
])('allows the public address %s', (address) => {
  expect(refusedAddress(address)).toBeNull()
})

test.each([
  'https://hooks.example.com/',
  'https://hooks.example.com:8443/a?b=c',
  'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]/',
  'https://bücher.example.com/',
])('allows %s', async (url) => {
  const given = { url, types: ['rate.changed' as const], providers: [], accountTypes: [], minChangeBp: null, description: '' }
  await createWebhook(fixture.deps(production), fixture.owner(await fixture.account()), given)
})

/** Sends one delivery to a host name as in production, except for the port, and returns the recorded attempt. */
async function sendTo(host: string, reach: Reach, port = fixture.receiver.port) {
  const account = await fixture.account()
  const endpoint = await fixture.endpoint(account, { url: `http://${host}:${port}/hook` })
  await fixture.one()
  await fixture.drain({ reach })
  const [attempt] = (await getDelivery(fixture.deps(), account.id, (await fixture.delivery(endpoint)).id)).tries
  // Pauses the endpoint, so that this delivery isn't retried while later ones are sent.
  await fixture.pool.query("UPDATE webhook_endpoint SET state = 'paused' WHERE public_id = $1", [endpoint.id])
  return attempt
}

describe('host names', () => {
  const strict = (): Reach => ({ resolve: createResolver(servers), refuses: refusedAddress })

  test('rejects host names that have any internal address', async () => {
    const tricks: [string, string[]][] = [
      ...addresses
        .filter((address) => !address.includes('.') || !address.includes(':'))
        .map((address, at): [string, string[]] => [`trick-${at}.hooks.co`, [address]]),
      ['one-of-two.hooks.co', ['93.184.216.34', '127.0.0.1']],
      ['last-of-many.hooks.co', [...Array.from({ length: 20 }, (_, n) => `93.184.216.${n + 1}`), '169.254.169.254']],
      ['public-4-private-6.hooks.co', ['93.184.216.34', 'fd00::1']],
      ['private-4-public-6.hooks.co', ['10.1.2.3', '2606:4700:4700::1111']],
    ]
    for (const [host, found] of tricks) {
      names.zone.set(host, [found])
      await expect(resolveAddress(host, 1, strict()), `${host}: ${found}`).rejects.toThrow('an address that is not public')
    }
    for (const [host] of tricks.slice(-4)) {
      expect(await sendTo(host, strict())).toMatchObject({ isDelivered: false, status: null, fault: expect.stringContaining('Nothing was sent.') })
    }
    expect(fixture.receiver.got).toEqual([])
  })

  test('alternates between the IPv4 addresses of a host name, or between its IPv6 addresses if it has no others', async () => {
    const [four, six] = [['93.184.216.34', '93.184.216.35'] as const, ['2606:4700:4700::1111', '2606:4700:4700::1001'] as const]
    names.zone.set('both.hooks.co', [[...six, ...four]])
    names.zone.set('six.hooks.co', [six])
    const resolveAll = (host: string) => Promise.all([1, 2, 3, 4, 5, 6].map((attempt) => resolveAddress(host, attempt, strict())))
    for (const [host, wanted] of [
      ['both.hooks.co', four],
      ['six.hooks.co', six],
    ] as const) {
      const called = await resolveAll(host)
      expect(new Set(called), host).toEqual(new Set(wanted))
      expect(
        called.filter((address) => address === wanted[0]),
        host,
      ).toHaveLength(3)
    }
  })

  test('fails the attempt if a host name has no addresses or does not exist', async () => {
    names.zone.set('empty.hooks.co', [[]])
    for (const host of ['empty.hooks.co', 'nothing.hooks.co']) {
      expect(await sendTo(host, strict())).toMatchObject({ isDelivered: false, fault: expect.stringContaining('could not be resolved') })
    }
  })

  test('resolves a host name once per attempt and connects to the checked address, which prevents DNS rebinding', async () => {
    // 127.0.0.2 represents a public address, 127.0.0.1 an internal one.
    const outside = await Receiver.open({ host: '127.0.0.2', port: fixture.receiver.port })
    const reach: Reach = { resolve: createResolver(servers), refuses: (address) => (address === '127.0.0.2' ? null : 'inside') }
    names.zone.set('rebinding.hooks.co', [['127.0.0.2'], ['127.0.0.1']])
    names.asked.length = 0
    expect(await sendTo('rebinding.hooks.co', reach)).toMatchObject({ isDelivered: true, status: 200 })
    expect(names.asked.toSorted()).toEqual(['rebinding.hooks.co 1', 'rebinding.hooks.co 28'])
    expect(outside.got.map(({ headers }) => headers.host)).toEqual([`rebinding.hooks.co:${outside.port}`])
    // The name now resolves to an internal address: the next attempt resolves it again and is rejected.
    expect(await sendTo('rebinding.hooks.co', reach)).toMatchObject({ isDelivered: false, status: null, fault: expect.stringContaining('inside') })
    expect([outside.got.length, fixture.receiver.got.length]).toEqual([1, 0])
    await outside.close()
  })

  test('does not resolve local names from the hosts file', async () => {
    await expect(createResolver(servers)('localhost')).rejects.toThrow('could not be resolved')
  })
})

test('does not follow redirects to internal addresses', async () => {
  const inside = await Receiver.open()
  fixture.receiver.next.push((response) => response.writeHead(307, { location: inside.url('/secrets') }).end())
  expect(await sendTo('127.0.0.1', { resolve: async () => [], refuses: () => null })).toMatchObject({ isDelivered: false, status: 307 })
  expect(inside.got).toEqual([])
  await inside.close()
})
