import { getEntry } from '#server/api/documents/reference/operation-page.ts'

/** Former console: its calls are now made on the pages of the endpoints. Keeps the parameters of the call. Without an endpoint, leads to the rates. */
export function GET(request: Request): Response {
  const query = new URL(request.url).searchParams
  const slug = query.get('endpoint') ?? ''
  query.delete('endpoint')
  const path = `/reference/${getEntry(slug) === null ? 'rates-list' : slug}`
  return new Response(null, { status: 308, headers: { Location: query.size === 0 ? path : `${path}?${query}` } })
}
