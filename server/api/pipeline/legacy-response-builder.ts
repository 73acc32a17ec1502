import type { BuiltPage } from './built-page.ts'
import type { Answer } from './call.ts'
import { ResponseBuilder, type ResponseContext } from './response-builder.ts'

const beforeRows = '"data":'.length

/** Builds responses of the partner API: a bare array of rows, otherwise like v1. */
export class LegacyResponseBuilder extends ResponseBuilder {
  override page(call: ResponseContext, page: BuiltPage): Answer {
    const answer = super.page(call, page, null, page.rows?.length ?? 0, false, false)
    return { ...answer, body: page.data.slice(beforeRows), bytes: page.dataBytes - beforeRows }
  }
}
