/**
 * Serves a table of the best savings rates for a website. The key stays on this server: browsers get only the rates.
 *
 *   SVC_API_KEY=svc_live_… node examples/widget.ts
 *
 * Include the table in a page with `<div data-savings-rates="easy-access"></div><script src="/widget.js" defer></script>`. PORT is the port, by default 8080.
 * SVC_API_URL is the URL of the API, by default http://localhost:3000/v1. FRESH_SECONDS is how old rates can be before the next visit checks for changes, by
 * default 900; without changes, the call is free.
 */
import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

const api = process.env['SVC_API_URL'] ?? 'http://localhost:3000/v1'
const key = process.env['SVC_API_KEY']
if (key === undefined) throw new Error('Set SVC_API_KEY to your API key.')

/** Account types that browsers can ask for. Anything else would let them spend credits on calls of their choice. */
const types: ReadonlySet<string> = new Set(['easy-access', 'fixed-rate', 'notice', 'cash-isa'])
const maxRows = 5
const timeoutMs = 10_000
const freshMs = Number(process.env['FRESH_SECONDS'] ?? 900) * 1_000
/** Pause after a failed call. Meanwhile, visitors get the previous rates. */
const pauseMs = 60_000

type Rates = { readonly rows: readonly object[]; readonly attribution: string; readonly updatedAt: string }

/** Last response for an account type. */
type Stored = { readonly etag: string | null; readonly rates: Rates | null; readonly validUntil: number }

const stored = new Map<string, Stored>()
const running = new Map<string, Promise<Stored>>()

/** Asks the API for the rates of an account type. Keeps the previous ones if nothing has changed, or if the call fails. */
async function refresh(type: string): Promise<Stored> {
  const last = stored.get(type)
  const query = new URLSearchParams({ type, limit: String(maxRows), fields: 'provider,accountName,rate' })
  try {
    const response = await fetch(`${api}/rates?${query}`, {
      headers: {
        Authorization: `Bearer ${key}`,
        'X-SVC-Max-Credits': String(maxRows),
        ...(last?.etag && { 'If-None-Match': last.etag }),
      },
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.status === 304 && last) return { ...last, validUntil: Date.now() + freshMs }
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    const { data, meta } = (await response.json()) as { data: object[]; meta: { attribution: string; generatedAt: string } }
    const rates = { rows: data, attribution: meta.attribution, updatedAt: meta.generatedAt }
    return { etag: response.headers.get('ETag'), rates, validUntil: Date.now() + freshMs }
  } catch (error) {
    console.error(`Failed to refresh the rates for ${type}:`, error instanceof Error ? error.message : error)
    return { etag: last?.etag ?? null, rates: last?.rates ?? null, validUntil: Date.now() + pauseMs }
  }
}

/** Returns the rates of an account type, at most one call at a time. Null if there are none yet. */
async function getRates(type: string): Promise<Rates | null> {
  const last = stored.get(type)
  if (last && last.validUntil > Date.now()) return last.rates
  const call =
    running.get(type) ??
    refresh(type).finally(() => {
      running.delete(type)
    })
  running.set(type, call)
  const next = await call
  stored.set(type, next)
  return next.rates
}

const files: Readonly<Record<string, readonly [name: string, contentType: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/widget.js': ['widget.js', 'text/javascript; charset=utf-8'],
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, {
    'Content-Type': contentType,
    'Content-Security-Policy': "default-src 'self'; style-src 'self' 'unsafe-inline'",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': status === 200 ? 'public, max-age=300' : 'no-store',
  })
  response.end(body)
}

async function answer(method: string | undefined, { pathname, searchParams }: URL, response: ServerResponse): Promise<void> {
  const json = 'application/json; charset=utf-8'
  const file = files[pathname]
  if (method !== 'GET') return send(response, 405, json, '{"error":"Only GET is allowed."}')
  if (file) return send(response, 200, file[1], await readFile(join(import.meta.dirname, 'widget', file[0]), 'utf8'))
  const type = searchParams.get('type') ?? ''
  if (pathname !== '/savings-rates' || !types.has(type)) return send(response, 404, json, '{"error":"Not found."}')
  const rates = await getRates(type)
  if (rates) send(response, 200, json, JSON.stringify(rates))
  else send(response, 503, json, '{"error":"The rates are not available."}')
}

const server = createServer((request, response) => {
  answer(request.method, new URL(request.url ?? '/', 'http://localhost'), response).catch((error: unknown) => {
    console.error(error)
    response.destroy()
  })
})

server.listen(Number(process.env['PORT'] ?? 8_080), '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
