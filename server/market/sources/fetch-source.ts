import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { fromBufferPromise } from 'yauzl'
import { type Fetchable, SourceError } from './source.ts'

/** True if the bytes start like a zip archive. */
const isZip = (bytes: Buffer): boolean => bytes.subarray(0, 4).toString('latin1') === 'PK\x03\x04'

/** Reads the first file of a zip archive and verifies its checksum, because yauzl only verifies its size. */
async function readFirst(bytes: Buffer, maximumBytes: number): Promise<Buffer> {
  const archive = await fromBufferPromise(bytes)
  for await (const entry of archive.eachEntry()) {
    if (entry.uncompressedSize > maximumBytes)
      throw new SourceError(`The file in the archive is ${entry.uncompressedSize} bytes, over the limit of ${maximumBytes}.`)
    const content = await buffer(await archive.openReadStreamPromise(entry))
    if (crc32(content) !== entry.crc32) throw new SourceError('The file in the archive is corrupt: checksum mismatch.')
    return content
  }
  throw new SourceError('The archive is empty.')
}

/** Extracts the first file of a zip archive, up to a maximum size. @throws SourceError if the archive is empty, corrupt or too large. */
async function unzipFirst(bytes: Buffer, maximumBytes: number): Promise<Buffer> {
  try {
    return await readFirst(bytes, maximumBytes)
  } catch (cause) {
    if (cause instanceof SourceError) throw cause
    throw new SourceError('The archive cannot be unpacked: it is corrupt, truncated or too large.', undefined, { cause })
  }
}

const webPage = /^\s*(?:<!--[\s\S]{0,500}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b/i

const pageAdvice =
  'Open the URL in a browser: the file may have moved (set the new URL in MARKET_SOURCES as name=https://…), or the site may be blocking automated requests.'

/** Rejects HTML, and any markup unless XML is expected, because publishers return error pages with status 200. */
function refuseMarkup(text: string, format: Fetchable['format'], contentType: string): void {
  const isMarkup = format === 'xml' ? webPage.test(text) : text.trimStart().startsWith('<')
  if (!isMarkup) return
  const kind = webPage.test(text) || contentType.includes('html') ? 'a web page' : 'markup'
  throw new SourceError(`The URL returned ${kind} instead of ${format.toUpperCase()}.`, pageAdvice)
}

/** Decodes a response body: unzips it if necessary, requires UTF-8, removes the byte order mark. */
async function decodeBody(bytes: Buffer, format: Fetchable['format'], contentType: string, maximumBytes: number): Promise<string> {
  const content = isZip(bytes) ? await unzipFirst(bytes, maximumBytes) : bytes
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch (cause) {
    throw new SourceError('The response is not UTF-8 text.', undefined, { cause })
  }
  if (text.trim() === '') throw new SourceError('The response is empty.', 'The publisher may be updating the file; the next fetch will retry.')
  refuseMarkup(text, format, contentType)
  return text
}

/** Parses `Retry-After` (seconds or a date) into milliseconds; null if absent or invalid. */
function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header.trim()) * 1_000
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

/** Cache validators of the last successful response, sent so that an unchanged file isn't downloaded again. */
export type Validators = { readonly etag: string | null; readonly lastModified: string | null }

export type Fetched =
  | ({ readonly changed: true; readonly text: string; readonly sha256: string } & Validators)
  /** The publisher responded 304 Not Modified. */
  | { readonly changed: false }

/** Source to fetch, and its URL. */
type Address = { readonly source: Fetchable; readonly url: string }

export type FetchLimits = {
  /** Time limit of one attempt, from connecting to the last byte. */
  readonly attemptMs: number
  /** Time limit of all attempts, including the pauses between them. */
  readonly totalMs: number
  readonly maximumBytes: number
  readonly attempts: number
  /** Pause after the first attempt. It doubles with each further attempt. */
  readonly backoffMs: number
}

export const usualLimits: FetchLimits = { attemptMs: 20_000, totalMs: 60_000, maximumBytes: 16 * 1024 * 1024, attempts: 3, backoffMs: 1_000 }

export type FetchOptions = {
  /** Public URL of this service, which identifies the client to the publisher. */
  readonly contact: string
  readonly now: () => number
  readonly signal?: AbortSignal | undefined
  readonly limits?: FetchLimits | undefined
}

/** Transient failure that is worth retrying, with the pause that the publisher requested. */
class TransientError extends SourceError {
  readonly waitMs: number | null

  constructor(problem: string, waitMs: number | null, options?: ErrorOptions) {
    super(problem, 'The publisher may be busy; the next fetch will retry.', options)
    this.waitMs = waitMs
  }
}

const transientStatuses = new Set([408, 425, 429, 500, 502, 503, 504])
const accepted = {
  csv: 'text/csv, application/zip;q=0.9, */*;q=0.5',
  xml: 'application/xml, text/xml, */*;q=0.5',
  json: 'application/json, */*;q=0.5',
  ndjson: 'application/x-ndjson, text/csv, */*;q=0.5',
} as const
const programName = 'savings-rates-data-api/1.0'

function userAgent(source: Fetchable, contact: string): string {
  // The Bank of England returns 403 or 500 to user agents that are not browsers. Our name is appended.
  const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
  return source.needsBrowser ? `${browser} ${programName} (+${contact})` : `${programName} (+${contact})`
}

function headersFor(source: Fetchable, { etag, lastModified }: Validators, contact: string): Record<string, string> {
  return {
    'User-Agent': userAgent(source, contact),
    Accept: accepted[source.format],
    'Accept-Language': 'en-GB, en;q=0.8',
    ...(etag === null ? {} : { 'If-None-Match': etag }),
    ...(lastModified === null ? {} : { 'If-Modified-Since': lastModified }),
  }
}

function refuseStatus(response: Response, now: number): never {
  const { status } = response
  if (transientStatuses.has(status)) throw new TransientError(`The URL returned status ${status}.`, retryAfterMs(response.headers.get('retry-after'), now))
  const moved = status === 404 || status === 410 ? 'The file has moved' : 'The publisher rejected the request'
  throw new SourceError(
    `The URL returned status ${status}.`,
    `${moved}: open the URL in a browser and set the correct one in MARKET_SOURCES as name=https://….`,
  )
}

/** Reads the body up to the limit, so that an endless response can't exhaust memory. */
async function readBody(response: Response, maximumBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maximumBytes) {
      throw new SourceError(
        `The response is larger than ${maximumBytes} bytes.`,
        'Request less data in the URL set in MARKET_SOURCES: fewer series or a later start date.',
      )
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Fetch options with default limits. */
type Settings = FetchOptions & { readonly limits: FetchLimits }

async function attempt({ source, url }: Address, validators: Validators, { contact, now, limits }: Settings, signal: AbortSignal): Promise<Fetched> {
  const response = await fetch(url, { headers: headersFor(source, validators, contact), signal, redirect: 'follow' })
  try {
    if (response.status === 304 && (validators.etag ?? validators.lastModified) !== null) return { changed: false }
    if (response.status !== 200) refuseStatus(response, now())
    const bytes = await readBody(response, limits.maximumBytes)
    const contentType = response.headers.get('content-type') ?? ''
    return {
      changed: true,
      text: await decodeBody(bytes, source.format, contentType, limits.maximumBytes),
      sha256: createHash('sha256').update(bytes).digest('hex'),
      etag: response.headers.get('etag'),
      lastModified: response.headers.get('last-modified'),
    }
  } finally {
    // Cancel an unread body; a fully read one is already closed.
    if (!response.bodyUsed) await response.body?.cancel()
  }
}

/** Converts an error to one with a readable message; the original error is kept as its cause. */
function explain(error: unknown, tooLate: boolean, limits: FetchLimits): SourceError {
  if (error instanceof SourceError) return error
  if (tooLate) return new TransientError(`The URL did not respond within ${limits.attemptMs / 1_000} seconds.`, null, { cause: error })
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
  return new TransientError(`The URL could not be reached or closed the connection (${cause.slice(0, 200)}).`, null, { cause: error })
}

/**
 * Returns the pause before the next attempt in milliseconds, at least as long as the publisher requests. Null if there is no next attempt, because the failure
 * is permanent or the limit on attempts or time has been reached.
 */
function pauseAfter(number: number, problem: SourceError, limits: FetchLimits, leftMs: number): number | null {
  if (!(problem instanceof TransientError) || number >= limits.attempts) return null
  const pause = Math.max(limits.backoffMs * 2 ** (number - 1), problem.waitMs ?? 0)
  return pause < leftMs ? pause : null
}

/**
 * Makes one attempt, aborted after `ms` or after the limit per attempt, whichever is shorter. Returns the result or the error. @throws `signal.reason` if the
 * service is stopping.
 */
async function attemptWithTimeout(ms: number, configured: Address, validators: Validators, settings: Settings): Promise<Fetched | SourceError> {
  const { limits, signal } = settings
  const late = AbortSignal.timeout(Math.max(1, Math.min(limits.attemptMs, ms)))
  try {
    return await attempt(configured, validators, settings, signal ? AbortSignal.any([late, signal]) : late)
  } catch (error) {
    signal?.throwIfAborted()
    return explain(error, late.aborted, limits)
  }
}

/**
 * Fetches a source if it changed, with limits on time and size, and retries of transient failures. @throws SourceError with instructions, or `signal.reason` if
 * the service is stopping.
 */
export async function fetchSource(configured: Address, validators: Validators, options: FetchOptions): Promise<Fetched> {
  const limits = options.limits ?? usualLimits
  const endsAt = options.now() + limits.totalMs
  for (let number = 1; ; number += 1) {
    const result = await attemptWithTimeout(endsAt - options.now(), configured, validators, { ...options, limits })
    if (!(result instanceof SourceError)) return result
    const pause = pauseAfter(number, result, limits, endsAt - options.now())
    if (pause === null) throw result
    await sleep(pause, undefined, options.signal ? { signal: options.signal } : {})
  }
}
