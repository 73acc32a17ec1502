import { headers } from 'next/headers'

/** Origin under which the reader sees this site, so that copied calls reach the same service. */
export async function siteOrigin(): Promise<string> {
  const given = await headers()
  const host = given.get('x-forwarded-host') ?? given.get('host') ?? 'localhost'
  return `${given.get('x-forwarded-proto') ?? 'http'}://${host}`
}
