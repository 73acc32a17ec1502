import { pipeline } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { extract, pack } from 'tar-stream'
import { BackupError } from './backup-format.ts'

/** A regular file in the archive, small enough to fit in memory. */
export type TarEntry = { readonly name: string; readonly body: Buffer }

/** Maximum size of an entry. Our backups have no larger entries, so an archive that contains one is damaged or not ours. */
const maxBytes = 64 * 1024 * 1024

/** Packs entries as they arrive. `at` is their modification time in milliseconds since 1970. */
export async function* writeTar(entries: AsyncIterable<TarEntry>, at: number): AsyncGenerator<Buffer> {
  const archive = pack()
  const add = ({ name, body }: TarEntry) =>
    new Promise<void>((resolve, reject) => {
      archive.entry({ name, mode: 0o600, mtime: new Date(at) }, body, (error) => (error ? reject(error) : resolve()))
    })
  const write = async () => {
    for await (const entry of entries) await add(entry)
    archive.finalize()
  }
  // If the source fails, the archive is destroyed with the source's error, which the loop below then throws.
  const written = write().catch((error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error))))
  try {
    for await (const piece of archive as AsyncIterable<Buffer>) yield piece
  } finally {
    archive.destroy()
    await written
  }
}

/** Yields the entries of an archive, and reads it to the end, so that gzip's checksum is verified. @throws BackupError if it is truncated or not ours */
export async function* readTar(source: NodeJS.ReadableStream): AsyncGenerator<TarEntry> {
  const archive = extract()
  // The `for await` loop below throws errors from `source`, so the callback ignores them.
  pipeline(source, archive, () => undefined)
  try {
    for await (const entry of archive) {
      const { name, size = 0, type } = entry.header
      if (type !== 'file' || size > maxBytes) throw new BackupError('an entry has an invalid header')
      yield { name, body: await buffer(entry as AsyncIterable<Buffer>) }
    }
  } catch (error) {
    // File and gzip errors have a code; errors in the archive format do not.
    if (error instanceof BackupError || (error instanceof Error && 'code' in error)) throw error
    throw new BackupError('it is truncated or is not a tar archive', { cause: error })
  }
}
