/** Returns the target under a prefix, or null if the path is not below it: `/v1`, `/v1/…` and `/v1?…` are, `/v12` is not. */
export function targetUnder(prefix: string, url: string): string | null {
  if (!url.startsWith(prefix)) return null
  const next = url.charCodeAt(prefix.length)
  return Number.isNaN(next) || next === 47 || next === 63 ? url.slice(prefix.length) : null
}
