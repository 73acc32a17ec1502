import { createWriteStream, existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { BackupError } from './backup-error.ts'

/** A fault of the file system rather than of what is written. */
const isOfFiles = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'syscall' in error && 'code' in error && !('severity' in error)

/** A name is on the disk when its folder is. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r')
  await folder.sync().finally(() => folder.close())
}

/** @throws BackupError when there is something under that name. */
export function refuseTaken(out: string): void {
  if (existsSync(resolve(out))) throw new BackupError(`${out} is there already. Choose another name: a backup never takes the place of one.`)
}

/**
 * Writes pieces, compressed, to a file that is there as a whole or not at all: under another name first, forced to the disk, then renamed. Only its owner may
 * read it. @throws BackupError when the name is taken, or the file cannot be written.
 */
export async function writeWhole(out: string, pieces: AsyncIterable<Buffer>): Promise<void> {
  const path = resolve(out)
  refuseTaken(out)
  const beside = `${path}.part`
  // What a backup that was killed has left.
  await rm(beside, { force: true })
  try {
    await pipeline(Readable.from(pieces), createGzip({ level: 6 }), createWriteStream(beside, { flags: 'wx', mode: 0o600, flush: true }))
    await rename(beside, path)
    await flushFolder(path)
  } catch (error) {
    await rm(beside, { force: true })
    if (!isOfFiles(error)) throw error
    throw new BackupError(`${out} cannot be written: ${error.message}. Nothing is there under that name.`, { cause: error })
  }
}
