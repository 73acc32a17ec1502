import { isIP } from 'node:net'
import { refusedAddress } from './refused-address.ts'
import type { WebhookSettings } from './webhook-room.ts'

const longestUrl = 2_000

/** Ports on which receivers listen. All others belong to something that is no web server of a customer. */
const ports = { 'https:': [443, 8443], 'http:': [80, 8080] } as const

/** Names that lead into the network of the service, or of the machine itself. */
const insideNames =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|home\.arpa|in-addr\.arpa|ip6\.arpa|onion|test|invalid|example)$/

/** A host as it is in a URL, without the brackets of IPv6. */
export const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

function hostFault(host: string): string | null {
  if (isIP(host) !== 0) {
    const why = refusedAddress(host)
    return why === null ? null : `${host} is ${why}. Give an address that can be reached from the internet.`
  }
  if (!host.includes('.') || insideNames.test(host)) return `"${host}" is not a public name.`
  // A last label that starts with a digit makes an address in some parser or other.
  if (/(?:^|\.)\d[^.]*$/.test(host) || !/^[a-z0-9._-]+$/.test(host)) return `"${host}" is not a name that can be used.`
  return null
}

function schemeFault(url: URL, settings: Pick<WebhookSettings, 'developmentFeatures' | 'allowsPrivate'>): string | null {
  if (url.protocol === 'https:' || (url.protocol === 'http:' && (settings.allowsPrivate || settings.developmentFeatures))) return null
  return 'The address must begin with https://.'
}

function portFault(url: URL): string | null {
  const allowed: readonly number[] = ports[url.protocol as keyof typeof ports]
  return url.port === '' || allowed.includes(Number(url.port)) ? null : `Port ${url.port} cannot be used; ${allowed.join(' and ')} can.`
}

/** Why a URL is not called, in a sentence for whoever gave it; null: it may be. What its name resolves to is checked at every attempt. */
export function urlFault(text: string, settings: Pick<WebhookSettings, 'developmentFeatures' | 'allowsPrivate'>): string | null {
  const url = text.length > longestUrl || /[\s\\\p{Cc}]/u.test(text) ? null : URL.parse(text)
  if (url === null || url.hostname === '' || !/^https?:\/\//i.test(text)) return 'Give an address such as https://example.com/webhooks.'
  const scheme = schemeFault(url, settings)
  if (scheme !== null) return scheme
  if (url.username !== '' || url.password !== '' || text.includes('@')) return 'The address must not hold a name or a password, or any @.'
  if (url.hash !== '' || text.includes('#')) return 'The address must not have a part behind #.'
  if (settings.allowsPrivate) return null
  return portFault(url) ?? hostFault(bareHost(url).replace(/\.$/, ''))
}
