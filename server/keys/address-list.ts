import { BlockList, isIP, isIPv6 } from 'node:net'

const mappedPrefix = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** Normalises an IP address: unwraps IPv4-mapped IPv6 (`::ffff:203.0.113.7` → `203.0.113.7`) and drops zones such as `%eth0`. */
export function plainAddress(address: string): string {
  const bare = address.split('%')[0] ?? address
  return mappedPrefix.exec(bare)?.[1] ?? bare
}

/** Returns the first `count` groups of an IPv6 address, expanding `::`. */
function firstGroups(address: string, count: number): string {
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length)
  const all = [...groups, ...Array.from({ length: zeros }, () => '0'), ...after]
  return all
    .slice(0, count)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** Returns the network that per-network limits apply to: an IPv4 address itself, or the /64 of an IPv6 address, because one caller owns a whole /64. */
export function getNetwork(address: string | null): string {
  const plain = plainAddress(address ?? 'unknown')
  return isIPv6(plain) ? firstGroups(plain, 4) : plain
}

/** Returns the site of an address: an IPv4 address itself, or the /48 of an IPv6 address, because a /48 (65,536 networks) costs nothing to get. */
export function getSite(address: string | null): string {
  const plain = plainAddress(address ?? 'unknown')
  return isIPv6(plain) ? firstGroups(plain, 3) : plain
}

/** Parses an entry of the list. Returns null if it is neither an address nor a range such as `203.0.113.0/24`. */
function parseRange(text: string): { address: string; bits: number; family: 'ipv4' | 'ipv6' } | null {
  const [rawAddress = '', rawBits, ...rest] = text.trim().split('/')
  const isMapped = mappedPrefix.test(rawAddress)
  const address = plainAddress(rawAddress)
  const version = isIP(address)
  if (version === 0 || rest.length > 0 || rawAddress.includes('%')) return null
  const width = version === 4 ? 32 : 128
  if (rawBits === undefined) return { address, bits: width, family: version === 4 ? 'ipv4' : 'ipv6' }
  if (!/^\d{1,3}$/.test(rawBits)) return null
  const bits = Number(rawBits) - (isMapped ? 96 : 0)
  return bits < 0 || bits > width ? null : { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' }
}

/** Returns the entries that are neither addresses nor ranges. */
export function faultyRanges(ranges: readonly string[]): string[] {
  return ranges.filter((range) => parseRange(range) === null)
}

/** Returns true if one of the other ranges includes the whole range. */
export function isCovered(range: string, by: readonly string[]): boolean {
  const inner = parseRange(range)
  if (inner === null) return false
  return by.some((text) => {
    const outer = parseRange(text)
    return outer !== null && outer.family === inner.family && outer.bits <= inner.bits && new AddressList([text]).includes(inner.address)
  })
}

/** List of IP addresses and ranges. An unknown (null) address never matches. */
export class AddressList {
  private readonly allowed = new BlockList()

  /** @throws if an entry is neither an address nor a range. */
  constructor(ranges: readonly string[]) {
    for (const range of ranges) {
      const parsed = parseRange(range)
      if (!parsed) throw new Error(`"${range}" is not an IP address or range.`)
      this.allowed.addSubnet(parsed.address, parsed.bits, parsed.family)
    }
  }

  includes(address: string | null): boolean {
    if (address === null) return false
    const plain = plainAddress(address)
    const version = isIP(plain)
    return version !== 0 && this.allowed.check(plain, version === 4 ? 'ipv4' : 'ipv6')
  }
}
