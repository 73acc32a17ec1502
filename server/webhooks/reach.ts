import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { refusedAddress } from './refused-address.ts'
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
    if (why !== null) throw new RefusedReceiverError(`The host name resolves to an address that is ${why}. Nothing was sent.`)
  }
  const ipv4Addresses = addresses.filter((address) => isIP(address) === 4)
  const usable = ipv4Addresses.length > 0 ? ipv4Addresses : addresses
  const address = usable[(attempt - 1) % usable.length]
  if (address === undefined) throw new Error(`The host name "${host}" has no address.`)
  return address
}

const maxUrlLength = 2_000

/** Ports that a receiver's URL may use, by scheme. */
const ports = { 'https:': [443, 8443], 'http:': [80, 8080] } as const

/** Host names that are reserved or internal and can't belong to a public receiver. */
const internalNames =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|home\.arpa|in-addr\.arpa|ip6\.arpa|onion|test|invalid|example)$/

/** Returns the URL's host without IPv6 brackets. */
export const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

function hostFault(host: string): string | null {
  if (isIP(host) !== 0) {
    const why = refusedAddress(host)
    return why === null ? null : `${host} is ${why}. Use an address that is reachable from the internet.`
  }
  if (!host.includes('.') || internalNames.test(host)) return `"${host}" is not a public host name.`
  // Some parsers read a name as an IP address if its last label starts with a digit.
  if (/(?:^|\.)\d[^.]*$/.test(host) || !/^[a-z0-9._-]+$/.test(host)) return `"${host}" is not a valid host name.`
  return null
}

function schemeFault(url: URL, settings: Pick<WebhookSettings, 'developmentFeatures' | 'allowsPrivate'>): string | null {
  if (url.protocol === 'https:' || (url.protocol === 'http:' && (settings.allowsPrivate || settings.developmentFeatures))) return null
  return 'The URL must start with https://.'
}

function portFault(url: URL): string | null {
  const allowed: readonly number[] = ports[url.protocol as keyof typeof ports]
  return url.port === '' || allowed.includes(Number(url.port)) ? null : `Port ${url.port} is not allowed. Use ${allowed.join(' or ')}.`
}

/**
 * Returns an error for the customer if a URL can't be a receiver, or null. Checks only the URL; the addresses its name resolves to are checked at every
 * attempt.
 */
export function urlFault(text: string, settings: Pick<WebhookSettings, 'developmentFeatures' | 'allowsPrivate'>): string | null {
  const url = text.length > maxUrlLength || /[\s\\\p{Cc}]/u.test(text) ? null : URL.parse(text)
  if (url === null || url.hostname === '' || !/^https?:\/\//i.test(text)) return 'Enter a URL such as https://example.com/webhooks.'
  const scheme = schemeFault(url, settings)
  if (scheme !== null) return scheme
  if (url.username !== '' || url.password !== '' || text.includes('@')) return 'The URL must not contain credentials or an @.'
  if (url.hash !== '' || text.includes('#')) return 'The URL must not contain a # fragment.'
  if (settings.allowsPrivate) return null
  return portFault(url) ?? hostFault(bareHost(url).replace(/\.$/, ''))
}
