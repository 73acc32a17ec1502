import { attribution } from '#server/api/contract/envelope.ts'
import { errors, type Refusal } from '#server/api/contract/errors.ts'
import { type ListFormat, listFormats } from '#server/api/contract/list-formats.ts'
import { securityHeaders } from '#server/api/contract/security-headers.ts'
import { publicRequestId } from '#server/ids.ts'
import type { Answer, AnswerFile, BuiltPage } from './call.ts'
import { type Cursors, getFirstRows } from './page.ts'
import { pushWindow, type Window } from './rate-windows.ts'

export type ResponseSettings = {
  readonly publicUrl: string
  readonly cursors: Cursors
  /** Values of the Deprecation and Sunset headers, if the retirement of this version has been announced; else null. */
  readonly deprecation: string | null
  readonly sunset: string | null
}

export type ResponseContext = {
  readonly requestId: string
  readonly isTest: boolean
  readonly balance: number
  readonly credits: number
  readonly window: Window
}

const attributionJson = JSON.stringify(attribution)

/** Applied page size, the binding of the cursors, and the target of the next page without its cursor, for a list with pages. */
type PagedList = { readonly limit: number; readonly binding: string; readonly nextTarget: string }

/** Paging details of a list: the applied limit, and the cursor and link of the next page, if there is one. */
type Paging = { readonly limit: number; readonly next: string | null; readonly link: string }

/** Returns the member `meta` and the end of the envelope. `paging` is null for a single item. */
function metaJson({ requestId, credits, balance, isTest }: ResponseContext, { generatedAt, updatedUntil }: BuiltPage, paging: Paging | null): string {
  const list = paging === null ? '' : `,"limit":${paging.limit},"nextCursor":${paging.next === null ? 'null' : `"${paging.next}"`}`
  const until = updatedUntil === null ? '' : `,"updatedUntil":"${updatedUntil}"`
  return `,"meta":{"requestId":"req_${requestId}","generatedAt":"${generatedAt}","creditsCharged":${credits},"creditsBalance":${balance},"attribution":${attributionJson}${list}${until},"sample":${isTest}}}`
}

/** Adds the headers that describe a page. `rowsLeft` is null unless the page was truncated. */
function pushPageHeaders(headers: string[], { format, tag }: BuiltPage, isShared: boolean, isReplay: boolean, rowsLeft: number | null): void {
  const etag = rowsLeft === null ? `${tag}"` : `${tag}-${rowsLeft}"`
  headers.push('Content-Type', format.contentType, 'ETag', etag, 'X-SVC-Cache', isShared ? 'hit' : 'miss')
  if (isReplay) headers.push('X-SVC-Idempotent-Replay', 'true')
  if (rowsLeft !== null) headers.push('X-SVC-Limit-Reduced', String(rowsLeft))
}

/** Maximum length of a link. Proxies limit the size of all headers, often to 4 kB. */
const longestLink = 1_500

/** Adds the link to the next page, if there is one. A list with very long filters has no link; `nextCursor` leads to its next page. */
function pushLink(headers: string[], paging: Paging | null): void {
  if (paging !== null && paging.next !== null && paging.link.length <= longestLink) headers.push('Link', paging.link)
}

/** Adds the fields of `meta` that no other header has. CSV and NDJSON have no envelope. */
function pushMeta(headers: string[], { generatedAt, updatedUntil }: BuiltPage, paging: Paging | null): void {
  headers.push('X-SVC-Generated-At', generatedAt, 'X-SVC-Attribution', attribution)
  if (updatedUntil !== null) headers.push('X-SVC-Updated-Until', updatedUntil)
  if (paging === null) return
  headers.push('X-SVC-Limit', String(paging.limit))
  if (paging.next !== null) headers.push('X-SVC-Next-Cursor', paging.next)
}

/** Builds responses: the envelope, the error body and all headers. */
export class ResponseBuilder {
  private readonly settings: ResponseSettings
  private readonly always: readonly string[]

  constructor(settings: ResponseSettings) {
    this.settings = settings
    const retirement = [...(settings.deprecation ? ['Deprecation', settings.deprecation] : []), ...(settings.sunset ? ['Sunset', settings.sunset] : [])]
    const lasting = ['Cache-Control', 'private, no-cache', 'Vary', 'Authorization, Accept, Accept-Encoding', 'X-Content-Type-Options', 'nosniff']
    this.always = [...lasting, ...securityHeaders(settings.publicUrl), ...retirement]
  }

  private headersFor(call: ResponseContext): string[] {
    const headers = this.always.slice()
    headers.push(
      'X-SVC-Request-Id',
      publicRequestId(call.requestId),
      'X-SVC-Credits-Charged',
      String(call.credits),
      'X-SVC-Credits-Balance',
      String(call.balance),
    )
    pushWindow(headers, call.window)
    if (call.isTest) headers.push('X-SVC-Mode', 'test', 'X-SVC-Sample-Data', 'true')
    return headers
  }

  /** Builds a 200 response with the page. A list with more than `units` rows is truncated to that number. */
  page(call: ResponseContext, page: BuiltPage, list: PagedList | null, units: number, isShared: boolean, isReplay: boolean): Answer {
    const rowCount = page.rows?.length ?? 0
    const isCut = list !== null && units < rowCount
    const headers = this.headersFor(call)
    pushPageHeaders(headers, page, isShared, isReplay, isCut ? units : null)
    const { data, dataBytes } = isCut ? getFirstRows(page, units) : page
    const whole = isCut ? null : page
    const paging = page.rows === null ? null : this.getPaging(page, list, isCut ? units : rowCount, isCut)
    pushLink(headers, paging)
    if (page.format === listFormats.json) {
      const meta = metaJson(call, page, paging)
      return { status: 200, headers, body: `{${data}${meta}`, bytes: 1 + dataBytes + meta.length, page: whole, end: meta }
    }
    pushMeta(headers, page, paging)
    return { status: 200, headers, body: data, bytes: dataBytes, page: whole, end: '' }
  }

  /** Returns the Link header of the next page. The cursor is base64url, so it needs no encoding. */
  private linkTo({ nextTarget }: PagedList, next: string): string {
    return `<${this.settings.publicUrl}/v1${nextTarget}${next}>; rel="next"`
  }

  /** Builds a 200 response with a file. The fields of `meta` are headers. */
  file(call: ResponseContext, page: BuiltPage, content: AnswerFile, isShared: boolean, isReplay: boolean): Answer {
    const { name = '', bytes = 0, headers: own = [] } = page.file ?? {}
    const headers = this.headersFor(call)
    headers.push('Content-Type', page.format.contentType, 'ETag', `${page.tag}"`, 'X-SVC-Cache', isShared ? 'hit' : 'miss')
    headers.push('Content-Disposition', `attachment; filename="${name}"`, ...own)
    if (isReplay) headers.push('X-SVC-Idempotent-Replay', 'true')
    if (content.coding !== null) headers.push('Content-Encoding', content.coding)
    pushMeta(headers, page, null)
    return { status: 200, headers, body: '', bytes: content.coding === null ? bytes : content.compressed.length, file: content }
  }

  private getPaging(page: BuiltPage, list: PagedList | null, shown: number, isCut: boolean): Paging {
    const limit = list === null || isCut ? shown : list.limit
    const last = isCut ? page.keys[shown - 1] : page.keys.at(-1)
    if (list === null || last === undefined || !(isCut || page.more)) return { limit, next: null, link: '' }
    if (isCut) {
      const next = this.settings.cursors.write(last, list.binding)
      return { limit, next, link: this.linkTo(list, next) }
    }
    page.next ??= this.settings.cursors.write(last, list.binding)
    page.nextLink ??= this.linkTo(list, page.next)
    return { limit, next: page.next, link: page.nextLink }
  }

  /** Builds a 200 response to HEAD for a page that was not paid for, so without ETag, length and cursor. */
  head(call: ResponseContext, { contentType }: ListFormat): Answer {
    const headers = this.headersFor(call)
    headers.push('Content-Type', contentType)
    return { status: 200, headers, body: '', bytes: 0, isUnpaid: true }
  }

  notModified(call: ResponseContext, tag: string): Answer {
    const headers = this.headersFor(call)
    headers.push('ETag', tag)
    return { status: 304, headers, body: '', bytes: 0 }
  }

  refused(call: ResponseContext | { readonly requestId: string; readonly window: Window }, refusal: Refusal): Answer {
    const headers = 'balance' in call ? this.headersFor(call) : this.bareHeaders(call)
    headers.push('Content-Type', 'application/json; charset=utf-8')
    if (refusal.headers) headers.push(...refusal.headers)
    if ('retryAfter' in refusal.extra) headers.push('Retry-After', String(refusal.extra.retryAfter))
    const body = JSON.stringify({
      error: refusal.code,
      message: refusal.message,
      requestId: publicRequestId(call.requestId),
      docs: `${this.settings.publicUrl}/docs/errors/${refusal.code}`,
      ...refusal.extra,
    })
    return { status: errors[refusal.code].status, headers, body, bytes: Buffer.byteLength(body), code: refusal.code }
  }

  private bareHeaders(call: { readonly requestId: string; readonly window: Window }): string[] {
    const headers = this.always.slice()
    headers.push('X-SVC-Request-Id', publicRequestId(call.requestId), 'X-SVC-Credits-Charged', '0')
    pushWindow(headers, call.window)
    return headers
  }
}

const beforeRows = '"data":'.length

/** Builds responses of the partner API. The body is a bare array of rows; everything else is as in v1. */
export class LegacyResponseBuilder extends ResponseBuilder {
  override page(call: ResponseContext, page: BuiltPage): Answer {
    const { status, headers } = super.page(call, page, null, page.rows?.length ?? 0, false, false)
    return { status, headers, body: page.data.slice(beforeRows), bytes: page.dataBytes - beforeRows }
  }
}
