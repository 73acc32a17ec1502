import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { hashedPolicy, type PageSettings } from '../content-policy.ts'
import { hashScripts, type ScriptFiles } from './page-scripts.ts'
import type { RenderedPage } from './render-page.ts'

const [compressBrotli, compressGzip] = [promisify(brotliCompress), promisify(gzip)]

/** Page as it is sent: its headers, and its body in every encoding. */
export type StoredPage = {
  readonly status: number
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  readonly bodies: { readonly identity: Buffer; readonly br: Buffer | null; readonly gzip: Buffer | null }
  readonly bytes: number
}

/** Estimated size of an entry without its bodies. */
const headBytes = 4_096

/** Smaller responses fit into one packet anyway. */
const minCompressedBytes = 1_024
/** Beyond this level, compression takes several times as long for a few per cent. */
const brotliQuality = 6

const asText = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value ?? ''))

async function compress(body: Buffer) {
  if (body.length < minCompressedBytes) return { identity: body, br: null, gzip: null }
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality, [constants.BROTLI_PARAM_SIZE_HINT]: body.length }
  const [br, zip] = await Promise.all([compressBrotli(body, { params }), compressGzip(body)])
  return { identity: body, br, gzip: zip }
}

export type StoreSettings = PageSettings & { readonly scripts: ScriptFiles }

/** Headers of a page that are the same in every response. */
function toHeaders({ status, headers, nonce }: RenderedPage, etag: string, hashes: readonly string[], isThemed: boolean, settings: StoreSettings) {
  const link = asText(headers['link']).replaceAll(nonce, '')
  const vary = [asText(headers['vary']), 'Accept-Encoding', ...(isThemed ? ['Cookie'] : [])]
  return {
    'Content-Type': asText(headers['content-type']),
    'Content-Security-Policy': hashedPolicy(hashes, settings),
    Vary: vary.filter((part) => part !== '').join(', '),
    ...(link === '' ? {} : { Link: link }),
    // Browsers may keep the page, but must check whether it has changed before showing it.
    ...(status === 200 ? { ETag: etag, 'Cache-Control': isThemed ? 'private, no-cache' : 'no-cache' } : { 'Cache-Control': 'no-store' }),
  }
}

/** Prepares a rendered page for sending. `known` is the page's previous version, whose bodies are reused if nothing has changed. */
export async function toStoredPage(page: RenderedPage, isThemed: boolean, settings: StoreSettings, known?: StoredPage): Promise<StoredPage> {
  const isHtml = asText(page.headers['content-type']).startsWith('text/html')
  const { html, hashes } = isHtml ? hashScripts(page.body.toString(), page.nonce, settings.scripts) : { html: '', hashes: [] }
  const body = isHtml ? Buffer.from(html) : page.body
  const etag = `W/"${hash('sha256', body, 'base64url').slice(0, 27)}"`
  const bodies = known?.etag === etag ? known.bodies : await compress(body)
  const bytes = bodies.identity.length + (bodies.br?.length ?? 0) + (bodies.gzip?.length ?? 0) + headBytes
  return { status: page.status, etag, headers: toHeaders(page, etag, hashes, isThemed, settings), bodies, bytes }
}
