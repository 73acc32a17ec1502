/** Tar as POSIX has it (ustar), as far as a backup needs it: plain files with short names, each small enough to be held in memory. */
import { BackupError } from './backup-error.ts'

export type TarEntry = { readonly name: string; readonly body: Buffer }

const blockBytes = 512
/** Nothing that we write is larger; whatever claims to be was not written by us, or is damaged. */
const mostBytes = 64 * 1024 * 1024
const nameBytes = 100
const checksumAt = 148

const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`

/** The sum of all bytes of a header in which the sum itself counts as spaces. */
function checksumOf(header: Buffer): number {
  let sum = 0
  for (const [at, byte] of header.entries()) sum += at >= checksumAt && at < checksumAt + 8 ? 32 : byte
  return sum
}

/** An entry with its header, filled up to whole blocks. `at` is in milliseconds since 1970. */
export function tarEntry({ name, body }: TarEntry, at: number): Buffer {
  if (Buffer.byteLength(name) > nameBytes) throw new BackupError(`The name ${name} is too long for the backup.`)
  const header = Buffer.alloc(blockBytes)
  header.write(name, 0)
  header.write(`${octal(0o600, 8)}${octal(0, 8)}${octal(0, 8)}${octal(body.length, 12)}${octal(Math.floor(at / 1_000), 12)}`, nameBytes, 'latin1')
  header.write('0', 156)
  header.write('ustar\x0000', 257, 'latin1')
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, checksumAt, 'latin1')
  const filled = Math.ceil(body.length / blockBytes) * blockBytes
  return Buffer.concat([header, body, Buffer.alloc(filled - body.length)])
}

/** What ends an archive. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * blockBytes)

const isEmpty = (block: Buffer): boolean => block.every((byte) => byte === 0)

function readHeader(header: Buffer): { name: string; size: number } {
  const text = (from: number, to: number) => header.toString('latin1', from, to).replace(/[\0 ].*$/s, '')
  const size = Number.parseInt(text(124, 136), 8)
  if (Number.parseInt(text(checksumAt, checksumAt + 8), 8) !== checksumOf(header) || !(size >= 0 && size <= mostBytes)) {
    throw new BackupError('an entry of it cannot be read')
  }
  return { name: text(0, nameBytes), size }
}

/** Gives exactly so many bytes of a stream at a time. */
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
      if (done) throw new BackupError('it ends too early')
      this.#held.push(value)
      this.#heldBytes += value.length
    }
    const all = this.#held.length === 1 ? (this.#held[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#held)
    this.#held = [all.subarray(count)]
    this.#heldBytes -= count
    return all.subarray(0, count)
  }

  /** Reads on to the end, so that whatever checks the stream as a whole has seen all of it. */
  async drain(): Promise<void> {
    while (!(await this.#source.next()).done);
  }
}

/** The entries of an archive, one after the other. @throws BackupError when it is none, or ends too early. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const bytes = new Bytes(source)
  for (;;) {
    const header = await bytes.take(blockBytes)
    if (isEmpty(header)) break
    const { name, size } = readHeader(header)
    const filled = Math.ceil(size / blockBytes) * blockBytes
    yield { name, body: (await bytes.take(filled)).subarray(0, size) }
  }
  if (!isEmpty(await bytes.take(blockBytes))) throw new BackupError('its end cannot be read')
  await bytes.drain()
}
