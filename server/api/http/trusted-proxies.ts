import { isIP } from 'node:net'
import { AddressList, faultyRanges } from '#server/keys/address-list.ts'

const hopCount = /^\d{1,2}$/
/** Addresses that no proxy can have. If the list matches one of them, one of its ranges is far too wide. */
const impossibleProxies = ['0.0.0.1', '255.255.255.255', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff']

const forwardedHeader = /^(?:x-forwarded-|forwarded$)/

type Headers = Record<string, string | string[] | undefined>

/** Parses an entry of X-Forwarded-For. Returns the address without brackets and port, or null if it is not an IP address. */
function toAddress(entry: string): string | null {
  const address = entry
    .trim()
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  return isIP(address) === 0 ? null : address
}

/**
 * Proxies that are trusted to state the client's address. X-Forwarded-* headers from any other peer are ignored, because anyone can write them. If the list is
 * empty, no peer is trusted.
 */
export class TrustedProxies {
  private readonly addresses: AddressList
  private readonly maxHops: number
  /** False if no proxy is trusted. */
  readonly isSet: boolean

  /** @throws when an entry is neither an IP address nor a range. */
  constructor(addresses: readonly string[] = [], maxHops = Number.POSITIVE_INFINITY) {
    this.addresses = new AddressList(addresses)
    this.maxHops = maxHops
    this.isSet = addresses.length > 0
  }

  /** True if the peer of a connection is one of the proxies. */
  includes(peer: string | null): boolean {
    return this.isSet && this.addresses.includes(peer)
  }

  /**
   * Returns the client's address. Reads X-Forwarded-For from the right, where the proxy nearest to this process adds its entry, up to the first address that is
   * not trusted. Returns null if a trusted proxy wrote something that is not an IP address.
   */
  clientAddress(peer: string | null, forwardedFor: string | string[] | undefined): string | null {
    if (!this.includes(peer)) return peer
    const entries = (Array.isArray(forwardedFor) ? forwardedFor.join(',') : (forwardedFor ?? '')).split(',')
    let address = peer
    for (let hop = 1; hop <= this.maxHops; hop++) {
      const entry = entries.pop()
      // No entry is left: the client is the last address read, or the peer if the header is missing.
      if (entry === undefined || (entries.length === 0 && entry.trim() === '')) return address
      address = toAddress(entry)
      if (!this.includes(address)) return address
    }
    return address
  }

  /** Removes the forwarding headers of a request unless a trusted proxy sent it, because Next uses them to build absolute links. */
  dropForwarded(peer: string | null, headers: Headers): void {
    if (this.includes(peer)) return
    for (const name of Object.keys(headers)) if (forwardedHeader.test(name)) delete headers[name]
  }
}

/**
 * Parses the setting TRUST_PROXY: addresses and ranges of proxies, separated by commas, and optionally the maximum number of proxies in a chain. If the setting
 * is invalid, returns the reason, phrased to follow the name of the setting.
 */
export function parseTrustedProxies(text: string): TrustedProxies | { readonly fault: string } {
  const entries = text.split(',').map((entry) => entry.trim())
  const numbers = entries.filter((entry) => hopCount.test(entry))
  const addresses = entries.filter((entry) => !hopCount.test(entry))
  const maxHops = numbers[0] === undefined ? undefined : Number(numbers[0])
  if (addresses.length === 0 && numbers.length === 1 && maxHops === 0) return new TrustedProxies()
  if (addresses.length === 0 && numbers.length === 1)
    return { fault: `must list the addresses of the proxies, such as 127.0.0.1,::1 or ${text.trim()},10.0.0.0/8, because a number alone trusts any client` }
  if (numbers.length > 1 || maxHops === 0 || faultyRanges(addresses).length > 0)
    return { fault: 'must be IP addresses or ranges of proxies separated by commas, such as 127.0.0.1,::1,10.0.0.0/8' }
  const proxies = new TrustedProxies(addresses, maxHops)
  if (impossibleProxies.some((address) => proxies.includes(address))) return { fault: 'must not include every address: anyone could pretend to be any client' }
  return proxies
}
