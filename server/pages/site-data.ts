import type { DocsData } from '#server/api/documents/docs/docs-data.ts'
import { nextService } from '#server/runtime/next-service.ts'
import { siteOrigin } from './site-origin.ts'

/** Facts shown on public pages, with the origin under which the reader sees this site. */
export async function siteData(): Promise<DocsData> {
  return { ...(await nextService()).docs(), publicUrl: await siteOrigin() }
}
