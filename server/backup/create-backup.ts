import { createWriteStream, existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { withClient } from '#server/db/migrations.sql.ts'
import manifest from '../../package.json' with { type: 'json' }
import { BackupError, type BackupTable, getJson, headName, type Manifest, manifestName, partName, type TableSum, TableSummer } from './backup-format.ts'
import { type Moment, openMoment } from './backup-snapshot.sql.ts'
import { type TarEntry, writeTar } from './tar.ts'

/** Returns true for file system errors, as opposed to database errors. */
const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error && !('severity' in error)

/** Flushes a file's folder to disk. Until then, a rename of the file is not durable. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r')
  await folder.sync().finally(() => folder.close())
}

/** @throws BackupError if the file already exists. */
function refuseTaken(out: string): void {
  if (existsSync(resolve(out))) throw new BackupError(`${out} already exists. Choose another name: backups are never overwritten.`)
}

/**
 * Compresses and writes a file atomically: writes it under a temporary name, flushes it and renames it. Only the owner can read it. @throws BackupError if the
 * file exists or can't be written
 */
async function writeWhole(out: string, pieces: AsyncIterable<Buffer>): Promise<void> {
  const path = resolve(out)
  refuseTaken(out)
  const temporary = `${path}.part`
  // Remove the temporary file of an earlier backup that was killed.
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

/** Minimum size of each part of a table except the last. Only one part is in memory at a time. */
const partBytes = 4 * 1024 * 1024

/** Receives the name of the current table and the number of rows read from it so far. */
export type OnTable = (table: string, rows: number) => void

/** Yields the parts of a table. Stores the table's checksum in `sums` after the last one. */
async function* readParts(table: BackupTable, { copy }: Moment, sums: Record<string, TableSum>, onTable: OnTable): AsyncGenerator<TarEntry> {
  const summer = new TableSummer()
  let [buffered, bufferedBytes, part] = [[] as Buffer[], 0, 0]
  const take = () => {
    const body = Buffer.concat(buffered)
    buffered = []
    bufferedBytes = 0
    part += 1
    return { name: partName(table.name, part), body }
  }
  if (table.leftOut === null) {
    for await (const piece of copy(table) as AsyncIterable<Buffer>) {
      summer.add(piece)
      buffered.push(piece)
      bufferedBytes += piece.length
      if (bufferedBytes < partBytes) continue
      onTable(table.name, summer.rows)
      yield take()
    }
  }
  if (bufferedBytes > 0) yield take()
  sums[table.name] = summer.sum()
}

async function* toEntries(moment: Moment, written: Manifest, onTable: OnTable): AsyncGenerator<TarEntry> {
  const { head } = moment
  yield { name: headName, body: getJson(head) }
  for (const table of head.tables) yield* readParts(table, moment, written.sums, onTable)
  yield { name: manifestName, body: getJson(written) }
}

export type BackupOptions = {
  /** Default: true. If false, the backup contains only totals instead of the request log, which makes up most of a large database. */
  readonly withLog?: boolean
  readonly onTable?: OnTable
}

/** Writes all tables of the database at `url`, as of one point in time, to the file `out`. Returns the manifest. */
export async function createBackup(url: string, out: string, { withLog = true, onTable = () => undefined }: BackupOptions = {}): Promise<Manifest> {
  refuseTaken(out)
  return withClient(url, 'svc backup', async (client) => {
    const moment = await openMoment(client, manifest.version, withLog)
    const written: Manifest = { ...moment.head, sums: {} }
    await writeWhole(out, writeTar(toEntries(moment, written, onTable), Date.parse(moment.head.moment)))
    return written
  })
}
