import { describe, expect, test } from 'vitest'
import { AddressList, faultyRanges, getNetwork, getSite, plainAddress } from '#server/keys/address-list.ts'

describe('an address list', () => {
  test.each([
    ['203.0.113.7', ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:cb00:7107'], ['203.0.113.6', '203.0.113.70', '::203.0.113.7']],
    ['203.0.113.0/24', ['203.0.113.0', '203.0.113.255'], ['203.0.112.255', '203.0.114.0']],
    ['203.0.113.77/24', ['203.0.113.0', '203.0.113.255'], ['203.0.114.77']],
    ['203.0.113.7/32', ['203.0.113.7'], ['203.0.113.8']],
    ['0.0.0.0/0', ['1.2.3.4', '255.255.255.255', '::ffff:1.2.3.4'], ['2001:db8::1', '::1']],
    ['::/0', ['2001:db8::1', '::1', 'fe80::1%eth0'], []],
    ['2001:db8::/32', ['2001:db8::1', '2001:db8:ffff::', '2001:DB8::A'], ['2001:db9::1', '32.1.13.184']],
    ['2001:db8::1', ['2001:db8::1', '2001:0db8:0000::0001'], ['2001:db8::2']],
    ['::ffff:203.0.113.0/120', ['203.0.113.9', '::ffff:203.0.113.9'], ['203.0.114.9']],
    ['::ffff:203.0.113.9', ['203.0.113.9'], ['203.0.113.8']],
    [' 203.0.113.7 ', ['203.0.113.7'], []],
  ])('matches %s', (range, inside, outside) => {
    const list = new AddressList([range])
    for (const address of inside) expect(list.includes(address), address).toBe(true)
    for (const address of outside) expect(list.includes(address), address).toBe(false)
  })

  test('matches any of several entries', () => {
    const list = new AddressList(['203.0.113.7', '198.51.100.0/24', '2001:db8::/32'])
    for (const address of ['203.0.113.7', '198.51.100.9', '2001:db8::9']) expect(list.includes(address)).toBe(true)
  })

  test('never matches an unknown or malformed address', () => {
    const list = new AddressList(['0.0.0.0/0', '::/0'])
    for (const address of [null, '', 'unknown', 'localhost', '1.2.3', '1.2.3.4.5', '1.2.3.256', '01.2.3.4', '::g', '1.2.3.4, 5.6.7.8'])
      expect(list.includes(address), String(address)).toBe(false)
  })

  test('rejects invalid entries and names them in the error', () => {
    const faulty = [
      '',
      ' ',
      'x',
      '1.2.3',
      '1.2.3.4/33',
      '1.2.3.4/-1',
      '1.2.3.4/',
      '1.2.3.4/8/8',
      '1.2.3.4/0x8',
      '::/129',
      'fe80::1%eth0',
      '::ffff:1.2.3.4/95',
      '1.2.3.4-1.2.3.9',
      '*',
    ]
    expect(faultyRanges(['1.2.3.4', ...faulty, '::1'])).toEqual(faulty)
    for (const range of faulty) expect(() => new AddressList([range])).toThrow('is not an IP address or range')
  })
})

test('converts an IPv4-mapped IPv6 address to its IPv4 address', () => {
  expect(['::ffff:203.0.113.7', '::FFFF:203.0.113.7', '203.0.113.7', 'fe80::1%eth0', '::1'].map(plainAddress)).toEqual([
    '203.0.113.7',
    '203.0.113.7',
    '203.0.113.7',
    'fe80::1',
    '::1',
  ])
})

test.each([
  ['203.0.113.7', '203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7', '203.0.113.7'],
  ['2001:db8:7:1::1', '2001:db8:7:1', '2001:db8:7'],
  ['2001:0DB8:7:2:3:4:5:6', '2001:db8:7:2', '2001:db8:7'],
  ['2001:db8::1', '2001:db8:0:0', '2001:db8:0'],
  ['::1', '0:0:0:0', '0:0:0'],
  [null, 'unknown', 'unknown'],
])('groups %s by network and by site', (address, network, site) => {
  expect([getNetwork(address), getSite(address)]).toEqual([network, site])
})
