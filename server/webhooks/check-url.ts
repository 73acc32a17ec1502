import { isIP } from 'node:net'
import { refusedAddress } from './refused-address.ts'
import type { WebhookSettings } from './webhook-deps.ts'

const maxUrlLength = 2_000

/** Allowed receiver ports. Other ports don't belong to customers' web servers. */
const ports = { 'https:': [443, 8443], 'http:': [80, 8080] } as const

/** Names that resolve to the service's network or to this machine. */
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
