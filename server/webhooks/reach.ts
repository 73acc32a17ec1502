import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { refusedAddress } from './refused-address.ts'
import type { Reach, WebhookSettings } from './webhook-room.ts'

const resolveWithinMs = 3_000
const mostAddresses = 32
/** A resolver asks the name servers that this machine had when it was made: after so long another one is. */
const resolverKeptMs = 60_000

/** The receiver may not be called; the message says why, without an address of our own network. */
export class RefusedReceiverError extends Error {
  override name = 'RefusedReceiverError'
}

/**
 * Asks name servers directly: neither the hosts file nor the search list of this machine has a say, and a slow name server holds up none of the few
 * threads that all look-ups by the system share.
 */
export function resolverOf(servers: readonly string[] | null = null): Reach['resolve'] {
  const make = () => {
    const resolver = new Resolver({ timeout: resolveWithinMs, tries: 2 })
    if (servers) resolver.setServers(servers)
    return { resolver, until: performance.now() + resolverKeptMs }
  }
  let kept = make()
  return async (host) => {
    if (performance.now() >= kept.until) kept = make()
    const { resolver } = kept
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const addresses = found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses.slice(0, mostAddresses)
    const [failed] = found.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as NodeJS.ErrnoException] : []))
    throw new Error(`The name "${host}" could not be resolved (${failed?.code ?? 'no address'}).`)
  }
}

/** How this service reaches receivers. With WEBHOOKS_ALLOW_PRIVATE every address may be called, and localhost is this machine. */
export function reachOf(settings: Pick<WebhookSettings, 'allowsPrivate'>): Reach {
  const resolve = resolverOf()
  if (!settings.allowsPrivate) return { resolve, refuses: refusedAddress }
  return { resolve: async (host) => (host === 'localhost' ? ['127.0.0.1'] : resolve(host)), refuses: () => null }
}

/**
 * The address that an attempt connects to. The name is resolved once and every address of it is checked, so that a name that answers differently the
 * next time changes nothing. Attempts take turns among the addresses of IPv4, which every network of ours has; IPv6 is for names without one. @throws RefusedReceiverError; Error when the name has no address
 */
export async function addressOf(host: string, attempt: number, { resolve, refuses }: Reach): Promise<string> {
  const addresses = isIP(host) === 0 ? await resolve(host) : [host]
  for (const address of addresses) {
    const why = refuses(address)
    if (why !== null) throw new RefusedReceiverError(`The name leads to an address that is ${why}. Nothing was sent.`)
  }
  const ofIpv4 = addresses.filter((address) => isIP(address) === 4)
  const usable = ofIpv4.length > 0 ? ofIpv4 : addresses
  const address = usable[(attempt - 1) % usable.length]
  if (address === undefined) throw new Error(`The name "${host}" has no address.`)
  return address
}
