import { createHmac, timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'
import type { ApiFiles } from '#server/api/contract/api-file.ts'
import { csvColumns, csvHeader, csvRow } from '#server/api/contract/csv.ts'
import type { Page, PageRequest } from '#server/api/contract/endpoint.ts'
import { invalid } from '#server/api/contract/errors.ts'
import { type ListFormat, listFormats } from '#server/api/contract/list-formats.ts'
import { ndjsonRow } from '#server/api/contract/ndjson.ts'
import { clock } from '#server/clock.ts'
import { keyInFormat } from './accept.ts'
import type { BuiltPage, PageContext, PipelineEndpoint, Reading } from './call.ts'
import { withinDeadline } from './deadline.ts'

const length = 22

/** Inputs to an ETag other than the data. */
type Tagged = {
  /** Endpoint, parameters, page size, fields and cursor. */
  readonly target: string
  /** Number that encodes the key's mode and the plan-dependent fields. */
  readonly variant: number
  readonly more: boolean
}

/**
 * Computes the weak ETags of pages. They are keyed with the service secret, so that a tag alone can't be used to guess the data. Every process with the same
 * secret computes the same tag.
 */
export class PageTags {
  private readonly key: Buffer

  constructor(secret: string) {
    this.key = createHmac('sha256', secret).update('tags of pages').digest()
  }

  /** Returns the tag of a page, without its closing quote. */
  of({ target, variant, more }: Tagged, data: string): string {
    const digest = createHmac('sha256', this.key)
      .update(`${JSON.stringify([target, variant, more])}\0`)
      .update(data)
      .digest('base64url')
    return `W/"${digest.slice(0, length)}`
  }
}

function pick(row: object, fields: readonly string[]): object {
  return Object.fromEntries(fields.flatMap((field) => (field in row ? [[field, row[field as keyof typeof row]]] : [])))
}

/** Form of a page: mode and plan-dependent fields (`variant`), format, and the version of the config snapshot that it is built from. */
export type PageForm = { readonly variant: number; readonly format: ListFormat; readonly version: number }

type Serialised = Pick<BuiltPage, 'head' | 'data'> & { readonly texts: readonly string[] }

/** Serialises the rows of a list. */
function serialise(rows: readonly object[], format: ListFormat, { output }: PipelineEndpoint, fields: readonly string[] | null): Serialised {
  if (format === listFormats.csv) {
    const columns = csvColumns(output as z.ZodObject, fields)
    const head = csvHeader(columns)
    const texts = rows.map((row) => csvRow(columns, row))
    return { head, texts, data: head + texts.join('') }
  }
  const picked = fields ? rows.map((row) => pick(row, fields)) : rows
  if (format === listFormats.ndjson) {
    const texts = picked.map(ndjsonRow)
    return { head: '', texts, data: texts.join('') }
  }
  const texts = picked.map((row) => JSON.stringify(row))
  return { head: '', texts, data: `"data":[${texts.join(',')}]` }
}

/** Returns the data of a page truncated to its first rows. */
export function getFirstRows({ format, head, rows }: BuiltPage, count: number): Pick<BuiltPage, 'data' | 'dataBytes'> {
  const some = rows?.slice(0, count) ?? []
  const data = format === listFormats.json ? `"data":[${some.join(',')}]` : head + some.join('')
  return { data, dataBytes: Buffer.byteLength(data) }
}

/** Runs the handler of the endpoint and serialises the result. The variant and the format become part of the tag. */
export async function buildPage(
  endpoint: PipelineEndpoint,
  reading: Reading,
  page: PageRequest,
  context: PageContext,
  { variant, format, version }: PageForm,
  tags: PageTags,
): Promise<BuiltPage> {
  const result = await endpoint.read(reading.input, page, context)
  const now = clock.now()
  const base = { format, generatedAt: new Date(now).toISOString(), builtAt: now, version }
  const target = keyInFormat(reading.key, format)
  const getTag = (data: string, more: boolean) => tags.of({ target, variant, more }, data)
  if (endpoint.kind === 'file') {
    const { csv, ndjson } = result as ApiFiles
    const file = format === listFormats.csv ? csv : ndjson
    const tag = file.etag.slice(0, -1)
    const { createdAt: generatedAt, updatedUntil } = file
    return { ...base, generatedAt, updatedUntil, data: '', dataBytes: 0, head: '', rows: null, keys: [], more: false, tag, file }
  }
  if (endpoint.kind === 'item') {
    const data = `"data":${JSON.stringify(result)}`
    return { ...base, data, dataBytes: Buffer.byteLength(data), head: '', rows: null, keys: [], more: false, updatedUntil: null, tag: getTag(data, false) }
  }
  const { rows, more, keys: ownKeys, updatedUntil = null } = result as Page<object>
  const { head, texts, data } = serialise(rows, format, endpoint, reading.fields)
  const keys = endpoint.kind === 'list' ? (ownKeys ?? rows.map((row) => endpoint.getKey(row))) : []
  return { ...base, data, dataBytes: Buffer.byteLength(data), head, rows: texts, keys, more, updatedUntil, tag: getTag(data, more) }
}

/** `If-None-Match` header of a call, and the limits on what the call may cost. */
type Earlier = {
  readonly header: string | string[]
  /** Maximum credits that the call may cost; null if it sets no maximum. */
  readonly ceiling: number | null
  /**
   * Returns the credits that the balance and the caps currently allow. Null for test keys, which are never charged, so that their pages are never truncated.
   */
  readonly spendable: (() => Promise<number>) | null
}

const weak = /^W\//

/**
 * Returns `page` if a tag matches the whole page, the number of rows if it matches the page truncated to that number, else null. Both tags are without the `W/`
 * prefix.
 */
function getMatch(given: string, plain: string, rows: number): 'page' | number | null {
  if (given === `${plain}"`) return 'page'
  const cut = given.startsWith(`${plain}-`) ? /^-([1-9]\d{0,2})"$/.exec(given.slice(plain.length)) : null
  return cut && Number(cut[1]) < rows ? Number(cut[1]) : null
}

/**
 * Returns the tag in `If-None-Match` that is still valid, or null. A page that was truncated to what the caller could afford has a separate tag, which is valid
 * as long as its rows are unchanged and the caller can't afford more of them. The balance is read without a lock: at worst, a caller whose top-up arrives at
 * that moment gets a 304. `*` is only supported where nothing is charged; elsewhere it would reveal, for free, the tag of a page that was never paid for.
 */
export async function unchangedTag({ header, ceiling, spendable }: Earlier, page: BuiltPage, { price }: PipelineEndpoint): Promise<string | null> {
  if (typeof header !== 'string') return null
  const full = `${page.tag}"`
  const plain = page.tag.replace(weak, '')
  const rows = page.rows?.length ?? 0
  const matches = header.split(',').map((one) => getMatch(one.trim().replace(weak, ''), plain, rows))
  if (matches.includes('page') || (header.trim() === '*' && price.credits === 0)) return full
  const cutRows = Math.max(0, ...matches.filter((match) => typeof match === 'number'))
  if (cutRows === 0 || spendable === null) return null
  const nextCost = (cutRows + 1) * price.credits
  const isMaximum = (ceiling !== null && ceiling < nextCost) || (await withinDeadline(spendable())) < nextCost
  return isMaximum ? `${page.tag}-${cutRows}"` : null
}

const tagBytes = 12

/**
 * Signs and verifies list cursors, which are opaque to callers. A cursor contains the key of the last row sent. The signature binds it to the path, the
 * filters and the mode, but not to `limit` and `fields`, which may change from page to page.
 */
export class Cursors {
  private readonly secret: string

  constructor(secret: string) {
    this.secret = secret
  }

  private sign(key: string, binding: string): Buffer {
    return createHmac('sha256', this.secret).update(`cursor\0${binding}\0${key}`).digest().subarray(0, tagBytes)
  }

  write(key: string, binding: string): string {
    return Buffer.concat([this.sign(key, binding), Buffer.from(key)]).toString('base64url')
  }

  /** @throws RefusedError (400) if the cursor was modified or belongs to another query. */
  read(cursor: string, binding: string): string {
    const bytes = Buffer.from(cursor, 'base64url')
    const key = bytes.subarray(tagBytes).toString()
    const isWhole = bytes.length > tagBytes && bytes.toString('base64url') === cursor
    if (!isWhole || !timingSafeEqual(bytes.subarray(0, tagBytes), this.sign(key, binding))) {
      throw invalid('"cursor" does not belong to this query. Pass meta.nextCursor unchanged, and keep the path and the filters the same.')
    }
    return key
  }
}
