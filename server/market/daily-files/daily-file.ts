import type { FileCoding } from '#server/api/contract/api-file.ts'

/** Lists that are stored each day. */
export const fileNames = ['rates', 'providers', 'switch-offers'] as const

export type FileName = (typeof fileNames)[number]

/** Formats that callers can download. */
export const publishedFormats = ['ndjson', 'csv'] as const

export type PublishedFormat = (typeof publishedFormats)[number]

/** `rows` is the read model as NDJSON. It is not published: the market of a past day is rebuilt from it. */
export type FileFormat = PublishedFormat | 'rows'

/** File to store: its lines, with their line endings, and the time up to which they include all changes, in ISO 8601. */
export type NewFile = {
  readonly name: FileName
  readonly format: FileFormat
  readonly header?: string
  readonly lines: AsyncIterable<string>
  readonly updatedUntil: string | null
}

/** Stored file, without its content. `day` is an ISO date, times are in ISO 8601. */
export type StoredFile = {
  readonly name: FileName
  readonly format: FileFormat
  readonly day: string
  readonly rows: number
  readonly bytes: number
  readonly compressedBytes: number
  /** Size with Brotli; null if the file is only stored with gzip. */
  readonly brotliBytes: number | null
  readonly etag: string
  readonly updatedUntil: string | null
  readonly createdAt: string
}

/** Files of a dataset that can be read now. */
export type DailyFiles = {
  /** Returns the files that callers can download, newest day first. */
  readonly list: (query: { readonly name?: FileName | undefined; readonly day?: string | undefined }) => Promise<readonly StoredFile[]>
  /** Returns the compressed content of a file. @throws if it doesn't exist. */
  readonly read: (file: Pick<StoredFile, 'name' | 'format' | 'day'>, coding?: FileCoding) => Promise<Uint8Array<ArrayBuffer>>
}

/** No files, for markets created without a database. */
export const noFiles: DailyFiles = { list: async () => [], read: () => Promise.reject(new Error('There are no files.')) }
