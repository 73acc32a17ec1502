export const dynamic = 'force-dynamic'

const shared = globalThis as { [key: symbol]: unknown }

/** A minimal Next route handler: a constant body and a few headers. */
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
