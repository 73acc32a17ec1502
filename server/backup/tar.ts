/** Minimal POSIX tar (ustar) for backups: plain files with short names, each small enough to fit in memory. */
import { BackupError } from './backup-error.ts'

export type TarEntry = { readonly name: string; readonly body: Buffer }

const blockBytes = 512
/** Maximum size of an entry. We never write larger ones, so a larger one is damaged or not ours. */
const maxBytes = 64 * 1024 * 1024
const nameBytes = 100
const checksumAt = 148

const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`

/** Returns the sum of a header's bytes, counting the checksum field as spaces. */
function getChecksum(header: Buffer): number {
  let sum = 0
  for (const [at, byte] of header.entries()) sum += at >= checksumAt && at < checksumAt + 8 ? 32 : byte
  return sum
}

/** Builds an entry with its header, padded to whole blocks. `at` is in milliseconds since 1970. */
export function tarEntry({ name, body }: TarEntry, at: number): Buffer {
  if (Buffer.byteLength(name) > nameBytes) throw new BackupError(`The name ${name} is too long for the backup.`)
  const header = Buffer.alloc(blockBytes)
  header.write(name, 0)
  header.write(`${octal(0o600, 8)}${octal(0, 8)}${octal(0, 8)}${octal(body.length, 12)}${octal(Math.floor(at / 1_000), 12)}`, nameBytes, 'latin1')
  header.write('0', 156)
  header.write('ustar\x0000', 257, 'latin1')
  header.write(`${getChecksum(header).toString(8).padStart(6, '0')}\0 `, checksumAt, 'latin1')
  const filled = Math.ceil(body.length / blockBytes) * blockBytes
  return Buffer.concat([header, body, Buffer.alloc(filled - body.length)])
}

/** Returns the end-of-archive marker. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * blockBytes)

const isEmpty = (block: Buffer): boolean => block.every((byte) => byte === 0)

function readHeader(header: Buffer): { name: string; size: number } {
  const text = (from: number, to: number) => header.toString('latin1', from, to).replace(/[\0 ].*$/s, '')
  const size = Number.parseInt(text(124, 136), 8)
  if (Number.parseInt(text(checksumAt, checksumAt + 8), 8) !== getChecksum(header) || !(size >= 0 && size <= maxBytes)) {
    throw new BackupError('an entry has an invalid header')
  }
  return { name: text(0, nameBytes), size }
}

/** Reads exact byte counts from a stream. */
class Bytes {
  readonly #source: AsyncIterator<Buffer>
  #held: Buffer[] = []
  #heldBytes = 0

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async take(count: number): Promise<Buffer> {
    while (this.#heldBytes < count) {
      const { value, done } = await this.#source.next()
      if (done) throw new BackupError('it is truncated')
      this.#held.push(value)
      this.#heldBytes += value.length
    }
    const all = this.#held.length === 1 ? (this.#held[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#held)
    this.#held = [all.subarray(count)]
    this.#heldBytes -= count
    return all.subarray(0, count)
  }

  /** Reads to the end, so that checks of the whole stream, such as gzip's checksum, run. */
  async drain(): Promise<void> {
    while (!(await this.#source.next()).done);
  }
}

/** Yields the entries of an archive. @throws BackupError if it is invalid or truncated */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const bytes = new Bytes(source)
  for (;;) {
    const header = await bytes.take(blockBytes)
    if (isEmpty(header)) break
    const { name, size } = readHeader(header)
    const filled = Math.ceil(size / blockBytes) * blockBytes
    yield { name, body: (await bytes.take(filled)).subarray(0, size) }
  }
  if (!isEmpty(await bytes.take(blockBytes))) throw new BackupError('it has an invalid end')
  await bytes.drain()
}
