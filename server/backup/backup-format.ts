import { createHash } from 'node:crypto'
import { z } from 'zod'

/** File format version. Increase it for changes that older releases can't read. */
export const formatNumber = 1

const NonNegativeInt = z.int().nonnegative()

const Partition = z.object({
  name: z.string(),
  /** Bound as PostgreSQL prints it: `FOR VALUES FROM ('…') TO ('…')` or `DEFAULT`. */
  bound: z.string(),
})

const Table = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  partitions: z.array(Partition),
  /** Reason why the table's rows are excluded; null if they are included. */
  leftOut: z.string().nullable(),
})

/** First entry of a backup: the state of the database when it was made. */
export const Head = z.object({
  format: z.literal(formatNumber),
  service: z.string(),
  /** Time at which all tables were read, ISO 8601 UTC. */
  moment: z.iso.datetime(),
  postgres: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  tables: z.array(Table),
  sequences: z.array(z.object({ name: z.string(), last: z.string().regex(/^-?\d+$/) })),
  /** Version numbers that tell processes when their caches are outdated. A restore sets higher ones. */
  versions: z.object({ service: NonNegativeInt, market: NonNegativeInt }),
  ledger: z.object({ accounts: NonNegativeInt, balanceCredits: z.string(), differences: NonNegativeInt }),
})

const Sum = z.object({ rows: NonNegativeInt, bytes: NonNegativeInt, sha256: z.string().regex(/^[0-9a-f]{64}$/) })

/** Last entry of a backup: the head plus the checksums of all tables. A file without it is truncated. */
export const Manifest = Head.extend({ sums: z.record(z.string(), Sum) })

export type Head = z.infer<typeof Head>
export type Manifest = z.infer<typeof Manifest>
export type BackupTable = z.infer<typeof Table>
export type TableSum = z.infer<typeof Sum>

export const headName = 'head.json'
export const manifestName = 'manifest.json'

/** Returns the path of a part, such as `tables/account/000001.copy`. Concatenated, the parts of a table are the input of COPY. */
export const partName = (table: string, part: number): string => `tables/${table}/${String(part).padStart(6, '0')}.copy`

/** Returns the table an entry belongs to, or null if it isn't part of a table. */
export const tableOfPart = (name: string): string | null => /^tables\/([^/]+)\/\d{6}\.copy$/.exec(name)?.[1] ?? null

export const getJson = (value: object): Buffer => Buffer.from(`${JSON.stringify(value, null, 1)}\n`)

const newline = 10

/** Computes the row count, size and SHA-256 of a table's COPY data. Every row ends in a newline; COPY escapes newlines within values. */
export class TableSummer {
  readonly #hash = createHash('sha256')
  #rows = 0
  #bytes = 0

  add(piece: Buffer): void {
    this.#hash.update(piece)
    this.#bytes += piece.length
    for (let at = piece.indexOf(newline); at !== -1; at = piece.indexOf(newline, at + 1)) this.#rows += 1
  }

  get rows(): number {
    return this.#rows
  }

  sum(): TableSum {
    return { rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }
}

/** Thrown if a backup can't be created, read or restored. The message gives the reason and what to do. */
export class BackupError extends Error {
  override name = 'BackupError'
}
