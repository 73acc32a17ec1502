import type { FileCoding } from '#server/api/contract/api-file.ts'
import { daysBefore, isoDay } from '#server/api/contract/dates.ts'
import { keptDays } from '#server/api/contract/endpoint.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { Database } from '#server/db/prisma.ts'
import type { Dataset } from '../product.ts'
import { londonDay } from '../sources/calendar.ts'
import { BoundedCache } from './bounded-cache.ts'
import { type DailyFiles, type FileFormat, type FileName, publishedFormats, type StoredFile } from './daily-file.ts'

/** Maximum size of the compressed files that a process keeps in memory, in bytes. */
const maxCachedBytes = 16 * 1_048_576

/** Maximum number of files listed: every list and format, for today and the days before. */
const maxFiles = 500

const columns = {
  name: true,
  format: true,
  day: true,
  rows: true,
  bytes: true,
  compressedBytes: true,
  brotliBytes: true,
  etag: true,
  updatedUntil: true,
  createdAt: true,
} as const

type Row = Prisma.DailyFileGetPayload<{ select: typeof columns }>

const toFile = ({ day, updatedUntil, createdAt, name, format, ...rest }: Row): StoredFile => ({
  ...rest,
  name: name as FileName,
  format: format as FileFormat,
  day: isoDay(day),
  updatedUntil: updatedUntil?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
})

/** Files of both datasets. Their content is cached, because it never changes; lists are read each time. */
export class FileStore {
  readonly #db: Database
  readonly #now: () => number
  readonly #contents = new BoundedCache<Uint8Array<ArrayBuffer>>(maxCachedBytes, ({ length }) => length)

  constructor(db: Database, now: () => number) {
    this.#db = db
    this.#now = now
  }

  /** Returns the files of a dataset. Files older than `keptDays` days can't be read, even if they still exist. */
  of(dataset: Dataset): DailyFiles {
    return {
      list: ({ name, day }) => this.#list(dataset, { ...(name && { name }), ...(day && { day: new Date(day) }), format: { in: [...publishedFormats] } }),
      read: (file, coding = 'gzip') => this.#read(dataset, file, coding),
    }
  }

  get #oldestDay(): Date {
    return new Date(daysBefore(londonDay(this.#now()), keptDays))
  }

  async #list(dataset: Dataset, where: Prisma.DailyFileWhereInput): Promise<StoredFile[]> {
    const found = await this.#db.dailyFile.findMany({
      where: { dataset, AND: [{ day: { gte: this.#oldestDay } }, where] },
      select: columns,
      orderBy: { day: 'desc' },
      take: maxFiles,
    })
    return found.map(toFile)
  }

  #read(dataset: Dataset, file: Pick<StoredFile, 'name' | 'format' | 'day'>, coding: FileCoding): Promise<Uint8Array<ArrayBuffer>> {
    const { name, format, day } = file
    return this.#contents.get(`${coding} ${dataset} ${day} ${name} ${format}`, async () => {
      const key = { dataset, day: new Date(day), name, format }
      const row = await this.#db.dailyFile.findUnique({
        where: { dataset_day_name_format: key },
        select: { content: coding === 'gzip', brotli: coding === 'br' },
      })
      const content = row?.content ?? row?.brotli
      if (!content) throw new Error(`There is no file ${name}.${format} of ${day} in ${coding}.`)
      return content
    })
  }
}
