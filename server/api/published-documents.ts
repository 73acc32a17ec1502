import { createHash } from 'node:crypto'
import { errors } from '#server/api/contract/errors.ts'
import type { DocumentName, PublishedValues } from '#server/api/documents/published-values.ts'
import { compressThoroughly } from '#server/api/http/compression.ts'
import { type Encoding, getEncoding } from '#server/api/http/content-encoding.ts'
import { type DirectAnswer, uncachedAnswer } from '#server/api/pipeline/call.ts'
import type { ConfigSnapshot } from '#server/api/pipeline/config-snapshot.ts'
import { clock } from '#server/clock.ts'
import { newRequestId, publicRequestId } from '#server/ids.ts'
import type { Log } from '#server/observability/log.ts'

/** Converts the OpenAPI document to a Postman collection, both as text. */
export type ToPostman = (openApi: string) => Promise<string>

/** Document as bytes with its ETag, and compressed in each encoding that was requested so far. Encoding it for each response would take milliseconds. */
type Built = { readonly body: Buffer<ArrayBuffer>; readonly tag: string; readonly compressed: Map<Encoding, Promise<Buffer<ArrayBuffer> | null>> }
type Kept = { readonly version: number; readonly builtAt: number; readonly built: Promise<Built> }

export type DocumentSettings = Pick<PublishedValues, 'publicUrl' | 'deprecation' | 'sunset'>

/** Examples can depend on the date, so a document is rebuilt after this time; it keeps its ETag as long as the text is the same. */
const maxAgeMs = 60_000

/** Collects the inputs of the OpenAPI document that come from outside the code: settings, the sample dataset and the current availability. */
export function documentData(
  settings: DocumentSettings,
  { market, overrides, licence }: Pick<ConfigSnapshot, 'market' | 'overrides' | 'licence'>,
): PublishedValues {
  const { publicUrl, deprecation, sunset } = settings
  return { publicUrl, deprecation, sunset, overrides, licence, sample: market.dataset('sample') }
}

/** Returns the OpenAPI document as served. Loads the generator on first use, so that it doesn't slow down startup. */
export async function openApiText(facts: PublishedValues): Promise<string> {
  const { openApiDocument } = await import('#server/api/documents/openapi/document.ts')
  return `${JSON.stringify(await openApiDocument(facts), null, 2)}\n`
}

function built(text: string): Built {
  const body = Buffer.from(text)
  return { body, tag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 32)}"`, compressed: new Map() }
}

const shared = [
  'Cache-Control',
  'public, max-age=300',
  'Vary',
  'Accept-Encoding',
  'Access-Control-Allow-Origin',
  '*',
  'X-Content-Type-Options',
  'nosniff',
] as const

/** Published documents, built on first request and rebuilt when their input changes. */
export class PublishedDocuments {
  private readonly settings: DocumentSettings
  private readonly facts: () => ConfigSnapshot
  private readonly toPostman: ToPostman
  private readonly log: Log
  private kept: Kept | null = null
  /** Postman collection. `source` is the tag of the OpenAPI document it was built from. */
  private postman: { readonly source: string; readonly built: Promise<Built> } | null = null

  constructor(settings: DocumentSettings, facts: () => ConfigSnapshot, toPostman: ToPostman, log: Log) {
    this.settings = settings
    this.facts = facts
    this.toPostman = toPostman
    this.log = log
  }

  /**
   * Answers a request for a document: 200, 304, 405 for methods other than GET and HEAD, 500 if it can't be built. `accept` is the header Accept-Encoding. The
   * ETag of a compressed document is weak, because its bytes differ.
   */
  async answer(name: DocumentName, method: string, ifNoneMatch: string | null, accept?: string | string[] | null): Promise<DirectAnswer> {
    if (method !== 'GET' && method !== 'HEAD') return { status: 405, headers: ['Allow', 'GET, HEAD', 'X-Content-Type-Options', 'nosniff'], body: '', bytes: 0 }
    try {
      const document = await this.built(name)
      const { body, tag } = document
      const encoding = getEncoding(accept, body.length)
      const headers = [...shared, 'ETag', encoding === null ? tag : `W/${tag}`]
      const isKnown = ifNoneMatch?.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)
      if (isKnown) return { status: 304, headers, body: '', bytes: 0 }
      headers.push('Content-Type', 'application/json; charset=utf-8')
      const compressed = encoding && (await this.compressed(document, encoding))
      if (compressed) headers.push('Content-Encoding', encoding)
      const sent = compressed ?? body
      return { status: 200, headers, body: method === 'HEAD' ? '' : sent, bytes: sent.length }
    } catch (error) {
      return this.failed(error)
    }
  }

  private async compressed({ body, compressed }: Built, encoding: Encoding): Promise<Buffer<ArrayBuffer> | null> {
    const pending = compressed.get(encoding) ?? compressThoroughly(body, encoding, this.log)
    compressed.set(encoding, pending)
    const bytes = await pending
    // Too many responses are being compressed. The next request tries again.
    if (bytes === null) compressed.delete(encoding)
    return bytes
  }

  private built(name: DocumentName): Promise<Built> {
    if (name === 'openapi') return this.openApi()
    return name === 'postman' ? this.collection() : this.environment()
  }

  private async environment(): Promise<Built> {
    const { postmanEnvironment } = await import('#server/api/documents/postman-environment.ts')
    return built(postmanEnvironment(this.settings.publicUrl))
  }

  private openApi(): Promise<Built> {
    const facts = this.facts()
    const now = clock.now()
    const ageMs = now - (this.kept?.builtAt ?? 0)
    // A negative age means that the clock was set back, so the actual age is unknown.
    if (this.kept?.version !== facts.version || ageMs < 0 || ageMs >= maxAgeMs) {
      this.kept = { version: facts.version, builtAt: now, built: this.rebuild(this.kept?.built, facts) }
    }
    return this.kept.built
  }

  private async rebuild(before: Promise<Built> | undefined, facts: ConfigSnapshot): Promise<Built> {
    try {
      const now = built(await openApiText(documentData(this.settings, facts)))
      const last = await before?.catch(() => undefined)
      return last?.tag === now.tag ? last : now
    } catch (error) {
      // The next request retries.
      this.kept = null
      throw error
    }
  }

  private async collection(): Promise<Built> {
    const { body, tag } = await this.openApi()
    if (this.postman?.source !== tag) this.postman = { source: tag, built: this.convert(body.toString()) }
    return this.postman.built
  }

  private async convert(source: string): Promise<Built> {
    try {
      return built(await this.toPostman(source))
    } catch (error) {
      this.postman = null
      throw error
    }
  }

  private failed(error: unknown): DirectAnswer {
    const requestId = newRequestId()
    this.log.error({ err: error, requestId }, 'Failed to build a document.')
    const { status, message } = errors.internal_error
    const docs = `${this.settings.publicUrl}/docs/errors/internal_error`
    const body = JSON.stringify({ error: 'internal_error', message, requestId: publicRequestId(requestId), docs })
    return uncachedAnswer(status, 'application/json', body)
  }
}
