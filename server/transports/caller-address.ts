/**
 * The address of the caller. With `hops` trusted proxies in front, the proxy nearest to us wrote the last entry of X-Forwarded-For, the one before it
 * the entry before that, and so on; anything further left was written by the caller and proves nothing.
 */
export function callerAddress(peer: string | null, forwardedFor: string | string[] | undefined, hops: number): string | null {
  if (hops === 0) return peer
  const entries = (Array.isArray(forwardedFor) ? forwardedFor.join(',') : (forwardedFor ?? '')).split(',').map((entry) => entry.trim())
  const entry = entries.at(-hops)
  return entry ? entry.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1') : null
}
