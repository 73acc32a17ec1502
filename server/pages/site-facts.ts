import type { DocsFacts } from '#server/api/documents/docs/docs-facts.ts'
import { nextService } from '#server/runtime/next-service.ts'
import { siteOrigin } from './site-origin.ts'

/** Facts shown on public pages, with the origin under which the reader sees this site. */
export async function siteFacts(): Promise<DocsFacts> {
  return { ...(await nextService()).docs(), publicUrl: await siteOrigin() }
}
