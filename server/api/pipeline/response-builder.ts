import { attribution } from '#server/api/contract/envelope.ts'
import { errors, type Refusal } from '#server/api/contract/errors.ts'
import { securityHeaders } from '#server/api/contract/security-headers.ts'
import { publicRequestId } from '#server/ids.ts'
import type { Answer, BuiltPage } from './call.ts'
import type { Cursors } from './page.ts'
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

/** Builds responses: the envelope, the error body and all headers. */
export class ResponseBuilder {
  private readonly settings: ResponseSettings
  private readonly always: readonly string[]

  constructor(settings: ResponseSettings) {
    this.settings = settings
    const retirement = [...(settings.deprecation ? ['Deprecation', settings.deprecation] : []), ...(settings.sunset ? ['Sunset', settings.sunset] : [])]
    const lasting = ['Cache-Control', 'private, no-cache', 'Vary', 'Authorization, Accept-Encoding', 'X-Content-Type-Options', 'nosniff']
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
  page(call: ResponseContext, page: BuiltPage, list: { limit: number; binding: string } | null, units: number, isShared: boolean, isReplay: boolean): Answer {
    const isCut = page.rows !== null && list !== null && units < page.rows.length
    const headers = this.headersFor(call)
    headers.push(
      'Content-Type',
      'application/json; charset=utf-8',
      'ETag',
      isCut ? `${page.tag}-${units}"` : `${page.tag}"`,
      'X-SVC-Cache',
      isShared ? 'hit' : 'miss',
    )
    if (isReplay) headers.push('X-SVC-Idempotent-Replay', 'true')
    if (isCut) headers.push('X-SVC-Limit-Reduced', String(units))
    const data = isCut ? `"data":[${page.rows.slice(0, units).join(',')}]` : page.data
    const dataBytes = isCut ? Buffer.byteLength(data) : page.dataBytes
    const paging = page.rows === null ? '' : this.paging(page, list, isCut ? units : page.rows.length, isCut)
    const meta = `,"meta":{"requestId":"req_${call.requestId}","generatedAt":"${page.generatedAt}","creditsCharged":${call.credits},"creditsBalance":${call.balance},"attribution":${attributionJson}${paging},"sample":${call.isTest}}}`
    return { status: 200, headers, body: `{${data}${meta}`, bytes: 1 + dataBytes + meta.length }
  }

  private paging(page: BuiltPage, list: { limit: number; binding: string } | null, shown: number, isCut: boolean): string {
    const limit = list === null || isCut ? shown : list.limit
    const last = page.keys[shown - 1]
    if (list === null || last === undefined || !(isCut || page.more)) return `,"limit":${limit},"nextCursor":null`
    if (isCut) return `,"limit":${limit},"nextCursor":"${this.settings.cursors.write(last, list.binding)}"`
    page.next ??= this.settings.cursors.write(last, list.binding)
    return `,"limit":${limit},"nextCursor":"${page.next}"`
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
    const answer = super.page(call, page, null, page.rows?.length ?? 0, false, false)
    return { ...answer, body: page.data.slice(beforeRows), bytes: page.dataBytes - beforeRows }
  }
}
