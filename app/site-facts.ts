import { nextService } from '../server/next-service.ts'
import type { DocsFacts } from '../server/publish/docs/docs-facts.ts'
import { siteOrigin } from './(site)/site-origin.ts'

/** What pages tell of, with addresses under which the reader sees this site. */
export async function siteFacts(): Promise<DocsFacts> {
  return { ...(await nextService()).docs(), publicUrl: await siteOrigin() }
}
