import type { MetadataRoute } from 'next'
import { nextService } from '#server/runtime/next-service.ts'

export const dynamic = 'force-dynamic'

/** Paths that crawlers should skip: pages that require sign-in, and URLs that are useless in search results. */
const disallow = ['/admin', '/api/', '/console/call', '/dev/', '/portal', '/simulated-checkout/', '/v1/']

export default async function robots(): Promise<MetadataRoute.Robots> {
  const { publicUrl } = await nextService()
  return { rules: { userAgent: '*', allow: '/', disallow }, sitemap: `${publicUrl}/sitemap.xml` }
}
