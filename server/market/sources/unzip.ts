import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { fromBufferPromise } from 'yauzl'
import { SourceError } from './source.ts'

/** True if the bytes start like a zip archive. */
export const isZip = (bytes: Buffer): boolean => bytes.subarray(0, 4).toString('latin1') === 'PK\x03\x04'

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
export async function unzipFirst(bytes: Buffer, maximumBytes: number): Promise<Buffer> {
  try {
    return await readFirst(bytes, maximumBytes)
  } catch (cause) {
    if (cause instanceof SourceError) throw cause
    throw new SourceError('The archive cannot be unpacked: it is corrupt, truncated or too large.', undefined, { cause })
  }
}
