import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { BackupError } from './backup-error.ts'
import { Head, headName, jsonOf, Manifest, manifestName, tableOfPart } from './manifest.ts'
import { TableSummer } from './table-sum.ts'
import { readTar, type TarEntry } from './tar.ts'

/** Rows of a table as COPY reads them, a part after the other; the tables come one after the other. */
export type RowsPart = { readonly table: string; readonly body: Buffer }

async function* unzipped(file: string): AsyncGenerator<Buffer> {
  const unzip = createGunzip()
  // Whoever iterates hears of a fault of either.
  pipeline(createReadStream(file), unzip, () => undefined)
  try {
    yield* unzip as AsyncIterable<Buffer>
  } finally {
    unzip.destroy()
  }
}

function parsed<Schema extends z.ZodType>(schema: Schema, body: Buffer, name: string): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(body.toString()))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) throw new BackupError(`its ${name} is not what this release reads`, { cause: error })
    throw error
  }
}

/** What has to be the same for the file to be what was written. */
function checkSums({ tables, sums }: Manifest, found: ReadonlyMap<string, TableSummer>): void {
  for (const { name } of tables) {
    const { rows, bytes, sha256 } = (found.get(name) ?? new TableSummer()).sum()
    const told = sums[name]
    if (told?.rows !== rows || told.bytes !== bytes || told.sha256 !== sha256) throw new BackupError(`the rows of ${name} are not those that were written`)
  }
}

/** What is read of a backup up to now, and what has to come next. */
class Reading {
  #head: Head | null = null
  #manifest: Manifest | null = null
  readonly #found = new Map<string, TableSummer>()

  /** Takes an entry. Returns the table whose rows it has; null when it is about the backup itself. */
  take({ name, body }: TarEntry): string | null {
    if (this.#head === null && name === headName) this.#head = parsed(Head, body, headName)
    else if (this.#head !== null && this.#manifest === null) return this.#takeBehindHead(this.#head, { name, body })
    else throw new BackupError(`${name} is at a place where it does not belong`)
    return null
  }

  #takeBehindHead({ tables }: Head, { name, body }: TarEntry): string | null {
    if (name === manifestName) {
      this.#manifest = parsed(Manifest, body, manifestName)
      return null
    }
    const table = tableOfPart(name)
    if (table === null || !tables.some((known) => known.name === table)) throw new BackupError(`${name} is at a place where it does not belong`)
    const summer = this.#found.get(table) ?? new TableSummer()
    this.#found.set(table, summer)
    summer.add(body)
    return table
  }

  end(): Manifest {
    if (this.#head === null || this.#manifest === null) throw new BackupError('it has no end')
    const { sums: _, ...again } = this.#manifest
    if (!jsonOf(again).equals(jsonOf(this.#head))) throw new BackupError('its beginning and its end are of different backups')
    checkSums(this.#manifest, this.#found)
    return this.#manifest
  }
}

async function* checkedParts(file: string): AsyncGenerator<RowsPart, Manifest> {
  const reading = new Reading()
  for await (const entry of readTar(unzipped(file))) {
    const table = reading.take(entry)
    if (table !== null) yield { table, body: entry.body }
  }
  return reading.end()
}

/**
 * Reads a backup from its beginning to its end, gives the rows of its tables, and returns its manifest once everything has turned out to be as it was
 * written. Until then the rows are not to be trusted. @throws BackupError when the file is cut off, changed, or none of ours.
 */
export async function* readBackup(file: string): AsyncGenerator<RowsPart, Manifest> {
  try {
    return yield* checkedParts(file)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if ('syscall' in error) throw new BackupError(`${file} cannot be read: ${error.message}.`, { cause: error })
    // What zlib says: the file is cut off, a byte of it is another one, or it is no such file at all.
    const isDamage = error instanceof BackupError || ('code' in error && String(error.code).startsWith('Z_'))
    if (!isDamage) throw error
    throw new BackupError(`${file} is damaged or no backup of this service: ${error.message}. Use another one.`, { cause: error })
  }
}

/** Reads a backup to its end without a database. Returns its manifest when it is whole. */
export async function verifyBackup(file: string): Promise<Manifest> {
  const parts = readBackup(file)
  for (;;) {
    const { done, value } = await parts.next()
    if (done) return value
  }
}
