/** File in one format. It is sent in place of the JSON envelope. */
export type ApiFile = {
  /** Suggested file name for the download. */
  readonly name: string
  /** Weak ETag of the content, which never changes. */
  readonly etag: string
  /** Size of the content without compression. */
  readonly bytes: number
  readonly createdAt: string
  /** Time up to which the content includes every change; null if unknown. */
  readonly updatedUntil: string | null
  /** Further response headers, as a flat list of names and values. */
  readonly headers: readonly string[]
  /** Codings in which the content is stored, smallest first. */
  readonly codings: readonly FileCoding[]
  /** Reads the compressed content. */
  readonly read: (coding: FileCoding) => Promise<Uint8Array<ArrayBuffer>>
}

/** Compression of a file. Every file is stored with gzip, and published files also with Brotli. */
export type FileCoding = 'gzip' | 'br'

/** A file in every format that callers can ask for. */
export type ApiFiles = { readonly ndjson: ApiFile; readonly csv: ApiFile }
