import { BlockList, isIP } from 'node:net'

/** Returns the reason why an address must not be called, or null if it is allowed. */
export type AddressRule = (address: string) => string | null

type Range = readonly [network: string, prefix: number, what: string]

/** IPv4 ranges that are not public unicast (IANA special-purpose registry), and metadata services on public addresses. */
const special4: readonly Range[] = [
  ['0.0.0.0', 8, 'this network'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'shared by carriers'],
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, 'link-local'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'reserved'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.31.196.0', 24, 'reserved'],
  ['192.52.193.0', 24, 'reserved'],
  ['192.88.99.0', 24, 'a 6to4 relay'],
  ['192.168.0.0', 16, 'private'],
  ['192.175.48.0', 24, 'reserved'],
  ['198.18.0.0', 15, 'for benchmarks'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved'],
  ['168.63.129.16', 32, 'a metadata service'],
]

/** The only allowed IPv6 range, which excludes loopback, local, mapped, NAT64 and multicast addresses. `special6` lists the disallowed parts of this range. */
const global6: Range = ['2000::', 3, 'global unicast']
const special6: readonly Range[] = [
  ['2001::', 23, 'reserved, or a tunnel (Teredo)'],
  ['2001:db8::', 32, 'documentation'],
  ['2002::', 16, 'a tunnel (6to4)'],
  ['2620:4f:8000::', 48, 'reserved'],
  ['3ffe::', 16, 'reserved'],
  ['3fff::', 20, 'documentation'],
]

const toLists = (ranges: readonly Range[], family: 'ipv4' | 'ipv6') =>
  ranges.map(([network, prefix, what]) => {
    const list = new BlockList()
    list.addSubnet(network, prefix, family)
    return { list, what }
  })

const [lists4, lists6, lists6Global] = [toLists(special4, 'ipv4'), toLists(special6, 'ipv6'), toLists([global6], 'ipv6')]

/** Expands an IPv6 address, with `::` or a dotted tail, into its eight groups. */
function expandGroups(address: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const [, head = '', ...bytes] = dotted ?? []
  const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number)
  const plain = dotted ? `${head}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}` : address
  const [front = '', back] = plain.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  if (back === undefined) return groups(front)
  const [first, last] = [groups(front), groups(back)]
  return [...first, ...Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => 0), ...last]
}

/** Returns true for an ISATAP address, which embeds an IPv4 address in its lower half. */
function isTunnel(address: string): boolean {
  const groups = expandGroups(address)
  return groups[5] === 0x5efe && ((groups[4] ?? 0) & 0xfdff) === 0
}

function refusedIpv6(address: string): string | null {
  if (lists6Global.every(({ list }) => !list.check(address, 'ipv6'))) return 'not a public address'
  return lists6.find(({ list }) => list.check(address, 'ipv6'))?.what ?? (isTunnel(address) ? 'a tunnel (ISATAP)' : null)
}

/** Allows only public unicast addresses, without a zone. */
export const refusedAddress: AddressRule = (address) => {
  const family = isIP(address)
  if (family === 4) return lists4.find(({ list }) => list.check(address, 'ipv4'))?.what ?? null
  if (family === 6 && !address.includes('%')) return refusedIpv6(address)
  return 'not an address'
}
