import { z } from 'zod'

/** The form of the file. A change that older releases cannot read has another number. */
export const formatNumber = 1

const Count = z.int().nonnegative()

const Partition = z.object({
  name: z.string(),
  /** As PostgreSQL writes it: `FOR VALUES FROM ('…') TO ('…')` or `DEFAULT`. */
  bound: z.string(),
})

const Table = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  partitions: z.array(Partition),
  /** Why its rows are not in the backup; null: they are. */
  leftOut: z.string().nullable(),
})

/** What a backup begins with: what was there at its moment. */
export const Head = z.object({
  format: z.literal(formatNumber),
  service: z.string(),
  /** The one moment that every table is of, ISO 8601 UTC. */
  moment: z.iso.datetime(),
  postgres: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  tables: z.array(Table),
  sequences: z.array(z.object({ name: z.string(), last: z.string().regex(/^-?\d+$/) })),
  /** What processes compare their facts with. A restored database says a higher one. */
  versions: z.object({ service: Count, market: Count }),
  ledger: z.object({ accounts: Count, balanceCredits: z.string(), differences: Count }),
})

const Sum = z.object({ rows: Count, bytes: Count, sha256: z.string().regex(/^[0-9a-f]{64}$/) })

/** What it ends with: the same, and what was written of each table. A file without it is cut off. */
export const Manifest = Head.extend({ sums: z.record(z.string(), Sum) })

export type Head = z.infer<typeof Head>
export type Manifest = z.infer<typeof Manifest>
export type BackupTable = z.infer<typeof Table>
export type TableSum = z.infer<typeof Sum>

export const headName = 'head.json'
export const manifestName = 'manifest.json'

/** Rows of a table lie in parts, `tables/account/000001.copy` and so on, which put together are what COPY reads. */
export const partName = (table: string, part: number): string => `tables/${table}/${String(part).padStart(6, '0')}.copy`

/** Which table an entry belongs to; null: it is no part of one. */
export const tableOfPart = (name: string): string | null => /^tables\/([^/]+)\/\d{6}\.copy$/.exec(name)?.[1] ?? null

export const jsonOf = (value: object): Buffer => Buffer.from(`${JSON.stringify(value, null, 1)}\n`)
