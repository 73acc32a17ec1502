import { search } from '#server/api/documents/site/search-index.ts'
import { siteData } from '#server/pages/site-data.ts'

/** Searches the documentation, for the command palette. The response is the same for everyone, so it can be cached. */
export async function GET({ url }: Request): Promise<Response> {
  const [query, ...others] = new URL(url).searchParams.getAll('q')
  if (query === undefined || others.length > 0) return Response.json({ error: { message: 'Send the search term in a single parameter, q.' } }, { status: 400 })
  return Response.json({ results: await search(query, await siteData()) }, { headers: { 'Cache-Control': 'public, max-age=60', 'X-Robots-Tag': 'noindex' } })
}
