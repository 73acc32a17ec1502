import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { fromBufferPromise } from 'yauzl'
import { type Fetchable, SourceError } from './source.ts'

/** True if the bytes start like a zip archive. */
const isZip = (bytes: Buffer): boolean => bytes.subarray(0, 4).toString('latin1') === 'PK\x03\x04'

/** Reads the first file. yauzl enforces the size that the archive's directory states, but not its checksum. */
async function readFirst(bytes: Buffer, maximumBytes: number): Promise<Buffer> {
  const archive = await fromBufferPromise(bytes)
  for await (const entry of archive.eachEntry()) {
    if (entry.uncompressedSize > maximumBytes)
      throw new SourceError(`The file in the archive has ${entry.uncompressedSize} bytes, more than the limit of ${maximumBytes}.`)
    const content = await buffer(await archive.openReadStreamPromise(entry))
    if (crc32(content) !== entry.crc32) throw new SourceError('The file in the archive is corrupt: checksum mismatch.')
    return content
  }
  throw new SourceError('The archive is empty.')
}

/** Extracts the first file of a zip archive, up to a maximum size. @throws SourceError */
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

/** Rejects HTML: publishers return error pages with status 200. */
function refuseMarkup(text: string, format: Fetchable['format'], contentType: string): void {
  const isMarkup = format === 'xml' ? webPage.test(text) : text.trimStart().startsWith('<')
  if (!isMarkup) return
  const kind = webPage.test(text) || contentType.includes('html') ? 'a web page' : 'markup'
  throw new SourceError(`The URL returned ${kind} instead of ${format.toUpperCase()}.`, pageAdvice)
}

/** Decodes a response body: unzips it if necessary, requires UTF-8, removes the byte order mark. */
export async function decodeBody(
  bytes: Buffer,
  { format, contentType, maximumBytes }: { format: Fetchable['format']; contentType: string; maximumBytes: number },
): Promise<string> {
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
