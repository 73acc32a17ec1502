import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliCompress, createGunzip, createGzip } from 'node:zlib'

/** Lines are compressed in pieces of about this size, so that a large market is never in memory as one text. */
const pieceBytes = 65_536

/** Length of the digest in an ETag. */
const tagLength = 22

/** Compressed lines: their number, their size before compression, and a weak ETag of their content. */
export type CompressedLines = {
  readonly rows: number
  readonly bytes: number
  readonly compressedBytes: number
  readonly etag: string
  readonly content: Uint8Array<ArrayBuffer>
}

/** Collects the end of a stream. */
async function concatenate(chunks: AsyncIterable<Buffer>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Buffer[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return new Uint8Array(Buffer.concat(parts))
}

/** Compresses lines with gzip. The header counts towards the size, but not as a row. */
export async function compressLines(lines: AsyncIterable<string>, header = ''): Promise<CompressedLines> {
  const digest = createHash('sha256')
  let [rows, bytes] = [0, 0]
  const toPiece = (text: string): Buffer => {
    const piece = Buffer.from(text)
    digest.update(piece)
    bytes += piece.length
    return piece
  }
  async function* pieces(): AsyncGenerator<Buffer> {
    let text = header
    for await (const line of lines) {
      text += line
      rows++
      if (text.length < pieceBytes) continue
      yield toPiece(text)
      text = ''
    }
    if (text !== '') yield toPiece(text)
  }
  const content = await pipeline(Readable.from(pieces(), { objectMode: false }), createGzip(), concatenate)
  return { rows, bytes, compressedBytes: content.length, etag: `W/"${digest.digest('base64url').slice(0, tagLength)}"`, content }
}

/** Decompresses lines and passes each to `onLine`, without its line ending. Yields to other work in between. */
export async function decompressLines(content: Uint8Array, onLine: (line: string) => void): Promise<void> {
  await pipeline(Readable.from([content]), createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of chunks) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) onLine(line)
    }
  })
}

/** Higher levels take several times as long to save a few per cent. */
const brotliQuality = 5

/** Converts content from gzip to Brotli. */
export async function toBrotli(content: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const compress = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } })
  return await pipeline(Readable.from([content]), createGunzip(), compress, concatenate)
}
