import { headers } from 'next/headers'
import type { DocsData } from '#server/api/documents/published-values.ts'
import { currentAuthContext } from '#server/auth/current-request.ts'
import { nextService } from '#server/runtime/next-service.ts'

/** Returns the origin from which the reader opened this site, so that API calls copied from its pages reach the same service. */
export async function siteOrigin(): Promise<string> {
  const given = await headers()
  const host = given.get('x-forwarded-host') ?? given.get('host') ?? 'localhost'
  return `${given.get('x-forwarded-proto') ?? 'http'}://${host}`
}

/** Returns the data shown on public pages. Uses the origin from which the reader opened this site as the public URL. */
export async function siteData(): Promise<DocsData> {
  return { ...(await nextService()).docs(), publicUrl: await siteOrigin() }
}

/** Returns the base URL of the API for examples. */
export const apiUrl = async (): Promise<string> => `${(await currentAuthContext()).publicUrl}/v1`
