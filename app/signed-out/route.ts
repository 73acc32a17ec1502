/**
 * Redirects to the sign-in page after a sign-out. Next's app router first requests the redirect target as data; because it gets none, it loads a new
 * document, which clears the account's data from the tab's memory.
 */
export function GET(request: Request): Response {
  const headers = { 'Cache-Control': 'no-store' }
  if (request.headers.has('rsc')) return new Response(null, { status: 204, headers })
  return new Response(null, { status: 303, headers: { ...headers, Location: '/sign-in' } })
}
