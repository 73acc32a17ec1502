import { brotliCompress, constants, deflateRaw, gzip, type InputType, zstdCompress } from 'node:zlib'
import type { Log } from '#server/observability/log.ts'
import type { Encoding } from './content-encoding.ts'

type Bytes = Buffer<ArrayBuffer>

/** Levels for responses: a few kilobytes take about 100 µs. */
const fast: Levels = { br: 4, zstd: 3, gzip: 6 }
/** Levels for documents, which are compressed once and sent many times. */
const thorough: Levels = { br: 9, zstd: 12, gzip: 9 }

type Levels = Readonly<Record<Encoding, number>>
type Compress = (body: InputType, level: number, done: (error: Error | null, result: Bytes) => void) => void

const wholes: Readonly<Record<Encoding, Compress>> = {
  br: (body, level, done) => brotliCompress(body, { params: { [constants.BROTLI_PARAM_QUALITY]: level } }, done),
  zstd: (body, level, done) => zstdCompress(body, { params: { [constants.ZSTD_c_compressionLevel]: level } }, done),
  gzip: (body, level, done) => gzip(body, { level }, done),
}

/** Compressors that stop at a byte boundary without ending the stream, so that more bytes can follow. The one for gzip omits the header. */
const starts: Readonly<Record<Encoding, Compress>> = {
  br: (body, level, done) => brotliCompress(body, { finishFlush: constants.BROTLI_OPERATION_FLUSH, params: { [constants.BROTLI_PARAM_QUALITY]: level } }, done),
  zstd: (body, level, done) => zstdCompress(body, { finishFlush: constants.ZSTD_e_flush, params: { [constants.ZSTD_c_compressionLevel]: level } }, done),
  gzip: (body, level, done) => deflateRaw(body, { finishFlush: constants.Z_SYNC_FLUSH, level }, done),
}

/**
 * Maximum number of bodies that are compressed at the same time. The thread pool that compresses them also hashes passwords and reads files. Beyond this, bodies
 * are sent uncompressed.
 */
const maxAtOnce = 32
let atOnce = 0

/** Resolves to null if the compression failed, or if too many others are running: the body is then sent uncompressed. */
async function run(compressors: Readonly<Record<Encoding, Compress>>, body: InputType, encoding: Encoding, levels: Levels, log: Log): Promise<Bytes | null> {
  if (atOnce >= maxAtOnce) return null
  atOnce++
  try {
    return await new Promise((resolve, reject) => compressors[encoding](body, levels[encoding], (error, result) => (error ? reject(error) : resolve(result))))
  } catch (error) {
    log.error({ err: error, encoding }, 'Failed to compress a response.')
    return null
  } finally {
    atOnce--
  }
}

/** Compresses the body of one response. */
export const compress = (body: InputType, encoding: Encoding, log: Log): Promise<Bytes | null> => run(wholes, body, encoding, fast, log)

/** Compresses the body of many responses, more slowly and to a smaller size. */
export const compressThoroughly = (body: InputType, encoding: Encoding, log: Log): Promise<Bytes | null> => run(wholes, body, encoding, thorough, log)

/** Compresses the start of a body. `endStream` adds the rest. */
export const compressStart = (start: InputType, encoding: Encoding, log: Log): Promise<Bytes | null> => run(starts, start, encoding, fast, log)
