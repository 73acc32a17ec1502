import { getEntry } from '#server/api/documents/reference/operation-page.ts'

/** Redirects the former console to the endpoint's reference page, with the parameters of the call. Without a known endpoint, redirects to `GET /rates`. */
export function GET(request: Request): Response {
  const query = new URL(request.url).searchParams
  const slug = query.get('endpoint') ?? ''
  query.delete('endpoint')
  const path = `/reference/${getEntry(slug) === null ? 'rates-list' : slug}`
  return new Response(null, { status: 308, headers: { Location: query.size === 0 ? path : `${path}?${query}` } })
}
