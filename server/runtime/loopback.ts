import { isIPv4 } from 'node:net'

/** Returns true for a name or address of this machine, as written in HOST, PUBLIC_URL or the Host header. */
function isLoopbackName(name: string): boolean {
  const host = name.toLowerCase()
  return host === 'localhost' || host === '::1' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'))
}

/** Returns true for a listen address that no other machine can connect to. */
export const isLoopbackHost = (host: string): boolean => isLoopbackName(host)

/** Returns true for a URL that always resolves to the caller's own machine. */
export const isLoopbackUrl = (url: string): boolean => isLoopbackName(URL.parse(url)?.hostname ?? '')

const loopbackAddress = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/

/** Matches headers that a proxy adds. A request with any of them came through a proxy, whatever the address of its connection. */
const forwarding = /^(?:forwarded|via|x-forwarded(?:-.*)?|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-connecting-ip|fastly-client-ip)$/

type Received = {
  readonly headers: { readonly host?: string | undefined }
  readonly rawHeaders: readonly string[]
  readonly httpVersion: string
}

/**
 * Returns true for a request sent from this machine to this machine: a loopback connection, a loopback Host header (a web page whose domain resolves to
 * 127.0.0.1 sends that domain instead), no proxy header, and not HTTP/1.0, which proxies use by default and browsers do not. Reads the raw headers, because
 * some of the parsed ones may have been removed. A proxy on this machine can still go undetected: never protect secrets with this check alone.
 */
export function isFromThisMachine(address: string | null | undefined, { headers, rawHeaders, httpVersion }: Received): boolean {
  if (httpVersion === '1.0') return false
  const host = /^(.+?)(?::\d+)?$/.exec(headers.host ?? '')?.[1] ?? ''
  if (!loopbackAddress.test(address ?? '') || !isLoopbackName(host)) return false
  return !rawHeaders.some((name, at) => at % 2 === 0 && forwarding.test(name.toLowerCase()))
}
