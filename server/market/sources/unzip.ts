import { crc32, inflateRawSync } from 'node:zlib'
import { SourceError } from './source.ts'

const endOfDirectory = 0x06054b50
const directoryEntry = 0x02014b50
const localHeader = 0x04034b50
const stored = 0
const deflated = 8

/** True if the bytes start like a zip archive. */
export function isZip(bytes: Buffer): boolean {
  return bytes.length > 4 && bytes.readUInt32LE(0) === localHeader
}

/** Offset of the central directory; a comment of up to 64 kB may follow its end record. */
function getDirectory(bytes: Buffer): number {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 65_557); at -= 1) {
    if (bytes.readUInt32LE(at) === endOfDirectory) return bytes.readUInt32LE(at + 16)
  }
  throw new SourceError('The archive has no central directory; it is probably truncated.')
}

function inflate(bytes: Buffer, method: number, maximumBytes: number): Buffer {
  if (method === stored) return bytes
  if (method !== deflated) throw new SourceError(`Unsupported compression method in the archive: ${method}.`)
  return inflateRawSync(bytes, { maxOutputLength: maximumBytes })
}

/** Reads sizes from the directory, because file headers may omit them. */
function firstFile(bytes: Buffer, maximumBytes: number): Buffer {
  const entry = getDirectory(bytes)
  if (bytes.readUInt32LE(entry) !== directoryEntry) throw new SourceError('The archive is empty.')
  const [method, sum, packed, size] = [
    bytes.readUInt16LE(entry + 10),
    bytes.readUInt32LE(entry + 16),
    bytes.readUInt32LE(entry + 20),
    bytes.readUInt32LE(entry + 24),
  ]
  if (size > maximumBytes) throw new SourceError(`The file in the archive has ${size} bytes, more than the limit of ${maximumBytes}.`)
  const header = bytes.readUInt32LE(entry + 42)
  const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28)
  if (start + packed > bytes.length) throw new SourceError('The archive is truncated.')
  const content = inflate(bytes.subarray(start, start + packed), method, maximumBytes)
  if (crc32(content) !== sum) throw new SourceError('The file in the archive is corrupt: checksum mismatch.')
  return content
}

/** Extracts the first file of a zip archive, up to a maximum size. @throws SourceError */
export function unzipFirst(bytes: Buffer, maximumBytes: number): Buffer {
  try {
    return firstFile(bytes, maximumBytes)
  } catch (cause) {
    if (cause instanceof SourceError) throw cause
    throw new SourceError('The archive cannot be unpacked: it is corrupt, truncated or too large.', undefined, { cause })
  }
}
