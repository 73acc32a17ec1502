import { headers } from 'next/headers'

/** The address under which the reader sees this site, so that a call copied from a page reaches the service it was copied from. */
export async function siteOrigin(): Promise<string> {
  const given = await headers()
  const host = given.get('x-forwarded-host') ?? given.get('host') ?? 'localhost'
  return `${given.get('x-forwarded-proto') ?? 'http'}://${host}`
}
