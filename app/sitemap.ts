import type { MetadataRoute } from 'next'
import { sitePaths } from '#server/api/documents/site/site-paths.ts'
import { nextService } from '#server/runtime/next-service.ts'

export const dynamic = 'force-dynamic'

export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  const service = await nextService()
  return sitePaths(service.market()).map((path) => ({ url: `${service.publicUrl}${path}` }))
}
