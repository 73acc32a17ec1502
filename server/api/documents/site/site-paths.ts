import { getCoverage, type Markets } from '../markets.ts'
import { siteDocuments } from './site-documents.ts'

const pages = ['/', '/changelog', '/status', '/help', '/licence', '/sign-up']

/** Maximum number of URLs in a sitemap (sitemaps.org). */
const maxPaths = 50_000

/** Returns the paths listed in the sitemap. Excludes the fictional products and providers of a demonstration market. */
export function sitePaths(markets: Markets): string[] {
  const live = markets.dataset('live')
  const isReal = !getCoverage(markets).isFictional
  const providers = isReal ? live.providers().map(({ slug }) => `/providers/${slug}`) : []
  const products = isReal ? live.products({ limit: maxPaths }).rows.map(({ product }) => `/products/${product.sourceKey}`) : []
  return [...new Set([...pages, ...siteDocuments.map(({ path }) => path), ...providers, ...products])].slice(0, maxPaths)
}
