import { headers } from 'next/headers'
import type { DocsData } from '#server/api/documents/published-values.ts'
import { currentAuthContext } from '#server/auth/current-request.ts'
import { nextService } from '#server/runtime/next-service.ts'

/** Origin under which the reader sees this site, so that copied calls reach the same service. */
export async function siteOrigin(): Promise<string> {
  const given = await headers()
  const host = given.get('x-forwarded-host') ?? given.get('host') ?? 'localhost'
  return `${given.get('x-forwarded-proto') ?? 'http'}://${host}`
}

/** Facts shown on public pages, with the origin under which the reader sees this site. */
export async function siteData(): Promise<DocsData> {
  return { ...(await nextService()).docs(), publicUrl: await siteOrigin() }
}

/** Base URL of the API, as shown in examples. */
export const apiUrl = async (): Promise<string> => `${(await currentAuthContext()).publicUrl}/v1`
