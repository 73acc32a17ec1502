import { createWriteStream, existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { BackupError } from './backup-error.ts'

/** True for file system errors, as opposed to errors of the data source. */
const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error && !('severity' in error)

/** Flushes the folder, without which a rename is not durable. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r')
  await folder.sync().finally(() => folder.close())
}

/** @throws BackupError if the file already exists. */
export function refuseTaken(out: string): void {
  if (existsSync(resolve(out))) throw new BackupError(`${out} already exists. Choose another name: backups are never overwritten.`)
}

/**
 * Compresses and writes a file atomically: to a temporary name, flushed, then renamed. Readable by the owner only. @throws BackupError if the file exists or
 * can't be written
 */
export async function writeWhole(out: string, pieces: AsyncIterable<Buffer>): Promise<void> {
  const path = resolve(out)
  refuseTaken(out)
  const temporary = `${path}.part`
  // Remove the file of an earlier backup that was killed.
  await rm(temporary, { force: true })
  try {
    await pipeline(Readable.from(pieces), createGzip({ level: 6 }), createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true }))
    await rename(temporary, path)
    await flushFolder(path)
  } catch (error) {
    await rm(temporary, { force: true })
    if (!isFileError(error)) throw error
    throw new BackupError(`Cannot write ${out}: ${error.message}. No file was created.`, { cause: error })
  }
}
