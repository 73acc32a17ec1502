import { isIPv4 } from 'node:net'

/** Names of this machine as HOST, PUBLIC_URL and the Host header spell them. */
function isLoopbackName(name: string): boolean {
  const host = name.toLowerCase()
  return host === 'localhost' || host === '::1' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'))
}

/** Returns true for an address to listen on that no other machine can connect to. */
export const isLoopbackHost = (host: string): boolean => isLoopbackName(host)

/** Returns true for a URL that leads every caller to their own machine. */
export const isLoopbackUrl = (url: string): boolean => isLoopbackName(URL.parse(url)?.hostname ?? '')

const loopbackAddress = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/

/** Headers that a proxy adds. A request with one of them came from somewhere else, whatever address its connection has. */
const forwarding = /^(?:forwarded|via|x-forwarded(?:-.*)?|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-connecting-ip|fastly-client-ip)$/

type Received = {
  readonly headers: { readonly host?: string | undefined }
  readonly rawHeaders: readonly string[]
  readonly httpVersion: string
}

/**
 * Returns true for a request sent from this machine to this machine: a loopback connection, a loopback Host header (a web page that points its own name at
 * 127.0.0.1 sends another one), no header of a proxy, and not HTTP/1.0, which proxies send without being configured and browsers do not. It reads the headers
 * as they were received, since others may have been removed since. A proxy on this machine can still hide that it is one: nothing secret may depend on this alone.
 */
export function isFromThisMachine(address: string | null | undefined, { headers, rawHeaders, httpVersion }: Received): boolean {
  if (httpVersion === '1.0') return false
  const host = /^(.+?)(?::\d+)?$/.exec(headers.host ?? '')?.[1] ?? ''
  if (!loopbackAddress.test(address ?? '') || !isLoopbackName(host)) return false
  return !rawHeaders.some((name, at) => at % 2 === 0 && forwarding.test(name.toLowerCase()))
}
