import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { BackupError, getJson, Head, headName, Manifest, manifestName, TableSummer, tableOfPart } from './backup-format.ts'
import { readTar, type TarEntry } from './tar.ts'

/** Part of a table's rows, as input for COPY. Parts of a table are consecutive. */
export type RowsPart = { readonly table: string; readonly body: Buffer }

/** Decompresses a file. Passes file errors on to the reader. */
function unzipped(file: string): NodeJS.ReadableStream {
  const unzip = createGunzip()
  pipeline(createReadStream(file), unzip, () => undefined)
  return unzip
}

function parseEntry<Schema extends z.ZodType>(schema: Schema, body: Buffer, name: string): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(body.toString()))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError)
      throw new BackupError(`its ${name} is not in the format this release reads`, { cause: error })
    throw error
  }
}

/** Compares row counts, sizes and hashes with the manifest. */
function checkSums({ tables, sums }: Manifest, found: ReadonlyMap<string, TableSummer>): void {
  for (const { name } of tables) {
    const { rows, bytes, sha256 } = (found.get(name) ?? new TableSummer()).sum()
    const expected = sums[name]
    if (expected?.rows !== rows || expected.bytes !== bytes || expected.sha256 !== sha256)
      throw new BackupError(`the rows of ${name} don't match their checksum`)
  }
}

/** Validates the order of entries while a backup is read. */
class BackupReader {
  #head: Head | null = null
  #manifest: Manifest | null = null
  readonly #found = new Map<string, TableSummer>()

  /** Processes an entry. Returns the table it belongs to, or null for the head and the manifest. */
  take({ name, body }: TarEntry): string | null {
    if (this.#head === null && name === headName) this.#head = parseEntry(Head, body, headName)
    else if (this.#head !== null && this.#manifest === null) return this.#takeBehindHead(this.#head, { name, body })
    else throw new BackupError(`unexpected entry ${name}`)
    return null
  }

  #takeBehindHead({ tables }: Head, { name, body }: TarEntry): string | null {
    if (name === manifestName) {
      this.#manifest = parseEntry(Manifest, body, manifestName)
      return null
    }
    const table = tableOfPart(name)
    if (table === null || !tables.some((known) => known.name === table)) throw new BackupError(`unexpected entry ${name}`)
    const summer = this.#found.get(table) ?? new TableSummer()
    this.#found.set(table, summer)
    summer.add(body)
    return table
  }

  end(): Manifest {
    if (this.#head === null || this.#manifest === null) throw new BackupError('it is truncated')
    const { sums: _, ...again } = this.#manifest
    if (!getJson(again).equals(getJson(this.#head))) throw new BackupError('its head and its manifest belong to different backups')
    checkSums(this.#manifest, this.#found)
    return this.#manifest
  }
}

async function* checkedParts(file: string): AsyncGenerator<RowsPart, Manifest> {
  const reading = new BackupReader()
  for await (const entry of readTar(unzipped(file))) {
    const table = reading.take(entry)
    if (table !== null) yield { table, body: entry.body }
  }
  return reading.end()
}

/**
 * Reads a backup, yields the rows of its tables and returns the manifest once all checksums match. Don't trust the rows until then. @throws BackupError if the
 * file is truncated, modified or not a backup
 */
export async function* readBackup(file: string): AsyncGenerator<RowsPart, Manifest> {
  try {
    return yield* checkedParts(file)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if ('syscall' in error) throw new BackupError(`Cannot read ${file}: ${error.message}.`, { cause: error })
    // zlib errors: the file is truncated, corrupted or not gzip.
    const isDamage = error instanceof BackupError || ('code' in error && String(error.code).startsWith('Z_'))
    if (!isDamage) throw error
    throw new BackupError(`${file} is damaged or is not a backup of this service: ${error.message}. Use another file.`, { cause: error })
  }
}

/** Verifies a backup without a database. Returns its manifest if it is intact. */
export async function verifyBackup(file: string): Promise<Manifest> {
  const parts = readBackup(file)
  for (;;) {
    const { done, value } = await parts.next()
    if (done) return value
  }
}
