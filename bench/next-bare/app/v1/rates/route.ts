export const dynamic = 'force-dynamic'

const shared = globalThis as { [key: symbol]: unknown }

/** The least that a Next route handler can do: a constant body and a handful of headers. */
export function GET(): Response {
  const body = String(shared[Symbol.for('bench.body')])
  return new Response(body, {
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'private, no-cache',
      'X-Content-Type-Options': 'nosniff',
      'Content-Length': String(Buffer.byteLength(body)),
    },
  })
}
