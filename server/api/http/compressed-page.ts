/**
 * Compressed responses with a page of data. The rows are the same for every caller and are compressed once per page; the end of the body, which has the request id
 * and the balance, follows uncompressed in the same stream. A compressed response therefore costs no more than an uncompressed one.
 *
 * BREACH (guessing a secret from the length of compressed responses) does not apply: no response contains the key or another secret, and other sites can't make
 * a browser send requests with a caller's key.
 */

import { crc32 } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { Answer, BuiltPage, DirectAnswer } from '#server/api/pipeline/call.ts'
import type { Log } from '#server/observability/log.ts'
import { compress, compressStart } from './compression.ts'
import { type Encoding, getEncoding } from './content-encoding.ts'

type Bytes = Buffer<ArrayBuffer>

/** Value of the request's Accept-Encoding header. */
type AcceptEncoding = string | string[] | null | undefined

/** Start of a stream: the compressed bytes, and the length and checksum of the uncompressed ones. */
type Start = { readonly bytes: Bytes; readonly length: number; readonly crc: number }

/** Gzip header: deflate, no file name, no time, unknown system (RFC 1952). */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/** Functions that end a stream with bytes that are not compressed. `end` must be shorter than 64 kB. */
const enders: Readonly<Record<Encoding, (start: Start, end: Bytes) => Bytes>> = {
  /** Appends a stored block (RFC 1951, 3.2.4), and the checksum and length of the whole body. */
  gzip: ({ bytes, length, crc }, end) => {
    const block = Buffer.allocUnsafe(5)
    block[0] = 1
    block.writeUInt16LE(end.length, 1)
    block.writeUInt16LE(~end.length & 0xffff, 3)
    const trailer = Buffer.allocUnsafe(8)
    trailer.writeUInt32LE(crc32(end, crc), 0)
    trailer.writeUInt32LE(length + end.length, 4)
    return Buffer.concat([gzipHeader, bytes, block, end, trailer])
  },
  /** Appends an uncompressed meta-block and an empty last one (RFC 7932, 9.2). */
  br: ({ bytes }, end) => {
    const last = Buffer.from([3])
    if (end.length === 0) return Buffer.concat([bytes, last])
    const block = Buffer.allocUnsafe(3)
    block.writeUIntLE(((end.length - 1) << 3) | (1 << 19), 0, 3)
    return Buffer.concat([bytes, block, end, last])
  },
  /** Appends a last block of the type raw (RFC 8878, 3.1.1.2). */
  zstd: ({ bytes }, end) => {
    const block = Buffer.allocUnsafe(3)
    block.writeUIntLE((end.length << 3) | 1, 0, 3)
    return Buffer.concat([bytes, block, end])
  },
}

/**
 * Compressed starts by ETag and encoding. An ETag identifies the data, so a start stays valid when its page is built again without a change.
 */
const starts = new LRUCache<string, Start>({ maxSize: 16 * 1_048_576, sizeCalculation: ({ bytes }) => bytes.length + 300 })
const pending = new Map<string, Promise<Start | null>>()

async function buildStart(text: string, encoding: Encoding, log: Log): Promise<Start | null> {
  const plain = Buffer.from(text)
  const bytes = await compressStart(plain, encoding, log)
  return bytes && { bytes, length: plain.length, crc: crc32(plain) }
}

/** Returns the compressed start of a page, at once if it is known. Concurrent requests for the same page share the work. */
function getStart({ tag }: BuiltPage, text: () => string, encoding: Encoding, log: Log): Start | Promise<Start | null> {
  const key = `${encoding} ${tag}`
  const known = starts.get(key) ?? pending.get(key)
  if (known !== undefined) return known
  const built = buildStart(text(), encoding, log)
    .then((start) => {
      if (start !== null) starts.set(key, start)
      return start
    })
    .finally(() => pending.delete(key))
  pending.set(key, built)
  return built
}

function withBody(answer: Answer, encoding: Encoding, body: Bytes | null): DirectAnswer {
  if (body === null) return answer
  return { status: answer.status, headers: [...answer.headers, 'Content-Encoding', encoding], body, bytes: body.length }
}

function encode(answer: Answer, accept: AcceptEncoding, log: Log): DirectAnswer | Promise<DirectAnswer> {
  const { status, body, bytes, page, file, end = '' } = answer
  // A file is compressed already, or is decompressed as it is sent.
  const encoding = status === 200 && file === undefined ? getEncoding(accept, bytes) : null
  if (encoding === null) return answer
  if (!page) return compress(body, encoding, log).then((compressed) => withBody(answer, encoding, compressed))
  const finish = (start: Start | null) => withBody(answer, encoding, start && enders[encoding](start, Buffer.from(end)))
  const start = getStart(page, () => body.slice(0, body.length - end.length), encoding, log)
  return start instanceof Promise ? start.then(finish) : finish(start)
}

/**
 * Returns a response in the best encoding that the caller accepts, at once if it needs no compression. ETags are weak, so they are the same for every encoding
 * (RFC 9110, 8.8.1). Never throws or rejects, because the call has already been charged: if compression fails, the response is sent uncompressed.
 */
export function encodeAnswer(answer: Answer, accept: AcceptEncoding, log: Log): DirectAnswer | Promise<DirectAnswer> {
  const uncompressed = (error: unknown): DirectAnswer => {
    log.error({ err: error }, 'Failed to compress a response. It was sent uncompressed.')
    return answer
  }
  try {
    const encoded = encode(answer, accept, log)
    return encoded instanceof Promise ? encoded.catch(uncompressed) : encoded
  } catch (error) {
    return uncompressed(error)
  }
}
