import { Resolver } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { webhookPorts } from '#server/api/contract/webhooks.ts'
import type { Reach, WebhookSettings } from './webhook-deps.ts'

const resolveTimeoutMs = 3_000
const maxAddresses = 32
/** Time after which a resolver is replaced, because it only knows the name servers that were configured when it was created. */
const resolverLifetimeMs = 60_000

/** Thrown if a receiver must not be called. The message gives the reason without revealing internal addresses. */
export class RefusedReceiverError extends Error {
  override name = 'RefusedReceiverError'
}

/**
 * Creates a resolver that queries name servers directly, so that this machine's hosts file and search list don't apply, and slow lookups don't occupy the
 * threads that system lookups share. `servers` is null for the machine's own name servers.
 */
export function createResolver(servers: readonly string[] | null = null): Reach['resolve'] {
  const make = () => {
    const resolver = new Resolver({ timeout: resolveTimeoutMs, tries: 2 })
    if (servers) resolver.setServers(servers)
    return { resolver, until: performance.now() + resolverLifetimeMs }
  }
  let kept = make()
  return async (host) => {
    if (performance.now() >= kept.until) kept = make()
    const { resolver } = kept
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const addresses = found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses.slice(0, maxAddresses)
    const [failed] = found.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as NodeJS.ErrnoException] : []))
    throw new Error(`The host name "${host}" could not be resolved (${failed?.code ?? 'no address'}).`)
  }
}

type Range = readonly [network: string, prefix: number, what: string]

/** IPv4 ranges that are not public unicast (IANA special-purpose registry), and metadata services on public addresses. */
const special4: readonly Range[] = [
  ['0.0.0.0', 8, 'this network'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'carrier-grade NAT'],
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, 'link-local'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'reserved'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.31.196.0', 24, 'reserved'],
  ['192.52.193.0', 24, 'reserved'],
  ['192.88.99.0', 24, '6to4 relay'],
  ['192.168.0.0', 16, 'private'],
  ['192.175.48.0', 24, 'reserved'],
  ['198.18.0.0', 15, 'benchmarking'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved'],
  ['168.63.129.16', 32, 'metadata service'],
]

/** The only allowed IPv6 range, which excludes loopback, local, mapped, NAT64 and multicast addresses. `special6` lists the disallowed parts of this range. */
const global6: Range = ['2000::', 3, 'global unicast']
const special6: readonly Range[] = [
  ['2001::', 23, 'reserved or a Teredo tunnel'],
  ['2001:db8::', 32, 'documentation'],
  ['2002::', 16, '6to4 tunnel'],
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
  if (lists6Global.every(({ list }) => !list.check(address, 'ipv6'))) return 'not global unicast'
  return lists6.find(({ list }) => list.check(address, 'ipv6'))?.what ?? (isTunnel(address) ? 'ISATAP tunnel' : null)
}

/** Returns the reason why an address is not allowed; null for a public unicast address without a zone. */
export const refusedAddress: Reach['refuses'] = (address) => {
  const family = isIP(address)
  if (family === 4) return lists4.find(({ list }) => list.check(address, 'ipv4'))?.what ?? null
  if (family === 6 && !address.includes('%')) return refusedIpv6(address)
  return 'not an IP address'
}

/** Returns the resolver and the address rule for receivers. WEBHOOKS_ALLOW_PRIVATE allows every address and resolves localhost to this machine. */
export function getReach(settings: Pick<WebhookSettings, 'allowsPrivate'>): Reach {
  const resolve = createResolver()
  if (!settings.allowsPrivate) return { resolve, refuses: refusedAddress }
  return { resolve: async (host) => (host === 'localhost' ? ['127.0.0.1'] : resolve(host)), refuses: () => null }
}

/**
 * Chooses the address an attempt connects to. Resolves the name once and checks all of its addresses, so that DNS rebinding has no effect. Attempts alternate
 * between the IPv4 addresses; IPv6 is used only for names without an IPv4 address, because not all of our networks have IPv6. @throws RefusedReceiverError;
 * Error if the name has no address
 */
export async function resolveAddress(host: string, attempt: number, { resolve, refuses }: Reach): Promise<string> {
  const addresses = isIP(host) === 0 ? await resolve(host) : [host]
  for (const address of addresses) {
    const why = refuses(address)
    if (why !== null) throw new RefusedReceiverError(`The host name resolves to an address that is not public (${why}).`)
  }
  const ipv4Addresses = addresses.filter((address) => isIP(address) === 4)
  const usable = ipv4Addresses.length > 0 ? ipv4Addresses : addresses
  const address = usable[(attempt - 1) % usable.length]
  if (address === undefined) throw new Error(`The host name "${host}" doesn't resolve to an IP address.`)
  return address
}

const maxUrlLength = 2_000

/** Host names that are reserved or internal and can't belong to a public receiver. */
const internalNames =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|home\.arpa|in-addr\.arpa|ip6\.arpa|onion|test|invalid|example)$/

/** Returns the URL's host without IPv6 brackets. */
export const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

/** Returns the error for a URL whose host is an address that is not allowed. */
export const nonPublicHost = (host: string, why: string): string => `${host} is not a public address (${why}). Use one that is reachable from the internet.`

/** `localAdvice` follows the error for a local or private host. */
function hostFault(host: string, localAdvice: string): string | null {
  if (isIP(host) !== 0) {
    const why = refusedAddress(host)
    return why === null ? null : `${nonPublicHost(host, why)}${localAdvice}`
  }
  if (!host.includes('.') || internalNames.test(host)) return `"${host}" is not a public host name.${localAdvice}`
  // Some parsers read a name as an IP address if its last label starts with a digit.
  if (/(?:^|\.)\d[^.]*$/.test(host) || !/^[a-z0-9._-]+$/.test(host)) return `"${host}" is not a valid host name.`
  return null
}

type UrlSettings = Pick<WebhookSettings, 'developmentFeatures' | 'allowsPrivate'>

function schemeFault(url: URL, settings: UrlSettings): string | null {
  if (url.protocol === 'https:' || (url.protocol === 'http:' && (settings.allowsPrivate || settings.developmentFeatures))) return null
  return 'The URL must start with https://.'
}

/** Returns the error for a port that is not allowed. If the scheme is not allowed either, suggests the HTTPS ports. */
function portFault(url: URL, isSchemeAllowed: boolean): string | null {
  const allowed: readonly number[] = webhookPorts[isSchemeAllowed && url.protocol === 'http:' ? 'http:' : 'https:']
  return url.port === '' || allowed.includes(Number(url.port)) ? null : `Port ${url.port} is not allowed. Use ${allowed.join(' or ')}.`
}

/**
 * Returns the errors to show to the customer if a URL can't be a receiver: first the host, then the scheme and the port; null otherwise. `localAdvice` follows
 * the error for a local or private host. Checks only the URL: the addresses that its host name resolves to are checked at every attempt.
 */
export function urlFault(text: string, settings: UrlSettings, localAdvice = ''): string | null {
  const url = text.length > maxUrlLength || /[\s\\\p{Cc}]/u.test(text) ? null : URL.parse(text)
  if (url === null || url.hostname === '' || !/^https?:\/\//i.test(text)) return 'Enter a URL such as https://example.com/webhooks.'
  if (url.username !== '' || url.password !== '' || text.includes('@')) return 'The URL must not contain credentials or an @.'
  if (url.hash !== '' || text.includes('#')) return 'The URL must not contain a # fragment.'
  const scheme = schemeFault(url, settings)
  if (settings.allowsPrivate) return scheme
  const faults = [hostFault(bareHost(url).replace(/\.$/, ''), localAdvice), scheme, portFault(url, scheme === null)].filter((fault) => fault !== null)
  return faults.length === 0 ? null : faults.join(' ')
}
