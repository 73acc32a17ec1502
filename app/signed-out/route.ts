/**
 * Leads to the sign-in after a sign-out. The app router of Next asks for the target of a redirect as data first, and loads a new page if there is none:
 * that removes what the account's pages left in the memory of the tab.
 */
export function GET(request: Request): Response {
  const headers = { 'Cache-Control': 'no-store' }
  if (request.headers.has('rsc')) return new Response(null, { status: 204, headers })
  return new Response(null, { status: 303, headers: { ...headers, Location: '/sign-in' } })
}
